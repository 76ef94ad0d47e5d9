/**
 * The command a person wants to see: without the shell around it and its quotes, as the model wrote it. Anything
 * that is not `SHELL -lc WORD` or `SHELL -c WORD` is shown as it is.
 */
export function shownCommand(command: string): string {
  const inner = /^\S+ -l?c (.+)$/s.exec(command)?.[1];
  return inner === undefined ? command : (unquoted(inner) ?? command);
}

/** One piece of a shell word: single quotes, double quotes, one escaped character, or plain ones. */
const piece = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/sy;

/** One shell word without its quotes; undefined when it is more than one word. */
function unquoted(word: string): string | undefined {
  let text = "";
  let at = 0;
  while (at < word.length) {
    piece.lastIndex = at;
    const found = piece.exec(word);
    if (found === null) return undefined;
    const [whole, single, double, escaped, plain] = found;
    text += single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "";
    at += whole.length;
  }
  return text;
}

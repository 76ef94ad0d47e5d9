/**
 * The command a person wants to see: without the shell around it and its quotes, as the model wrote it. Anything
 * that is not `SHELL -lc WORD` or `SHELL -c WORD` is shown as it is.
 */
export function shownCommand(command: string): string {
  const inner = /^\S+ -l?c (.+)$/s.exec(command)?.[1];
  return inner === undefined ? command : (unquoted(inner) ?? command);
}

/** One shell word without its quotes; undefined when it is more than one word. */
function unquoted(word: string): string | undefined {
  const single = /^'([^']*)'$/s.exec(word)?.[1];
  if (single !== undefined) return single;
  const double = /^"((?:[^"\\]|\\.)*)"$/s.exec(word)?.[1];
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, "$1");
  return /^[^\s'"\\$`]+$/.test(word) ? word : undefined;
}

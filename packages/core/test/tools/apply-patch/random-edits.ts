/** A line of a file: its bytes, ending included, one character each; and the text a patch has for it. */
export interface RandomLine {
  readonly bytes: string;
  readonly text: string;
}

/** The file from top to bottom with what happens to each line. */
export type EditScript = readonly (RandomLine & {
  readonly kind: "context" | "removed" | "added";
})[];

type Random = () => number;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const texts = [
  "",
  "a",
  "  a",
  "a  ",
  "\ta",
  "b",
  "é€",
  "\u201Ca\u201D",
  "}",
  "+x",
  "*** End Patch",
  "@@ a",
];

/** Many lines alike, some not UTF-8; one kind of ending for the whole file, sometimes none at its end. */
export function randomFile(random: Random): RandomLine[] {
  const ending = random() < 0.3 ? "\r\n" : "\n";
  const hasFinalEnding = random() < 0.7;
  const count = 1 + Math.floor(random() * 30);
  const lines = Array.from({ length: count }, () => {
    const [bytes, text] = random() < 0.1 ? ["caf\xE9", "caf\uFFFD"] : spelled(pick(texts, random));
    return { bytes: bytes + ending, text };
  });
  const last = lines.at(-1)!;
  // A blank line without an ending is none.
  if (!hasFinalEnding && last.text !== "")
    lines[count - 1] = { ...last, bytes: last.bytes.slice(0, -ending.length) };
  return lines;
}

/** Removes and adds some lines, also behind the last one; always at least one. */
export function randomScript(file: readonly RandomLine[], random: Random): EditScript {
  const ending = file[0]!.bytes.endsWith("\r\n") ? "\r\n" : "\n";
  const script: EditScript[number][] = [];
  const add = () => {
    const [bytes, text] = spelled(`new ${Math.floor(random() * 9)}`);
    script.push({ kind: "added", bytes: bytes + ending, text });
  };
  for (const [index, line] of file.entries()) {
    if (index === 0 || random() < 0.15) add();
    script.push({ ...line, kind: random() < 0.15 ? "removed" : "context" });
  }
  if (random() < 0.3) add();
  return script;
}

/** The file a person would have after these edits: between two lines there is an ending, and an unended file stays so. */
export function editedFile(file: readonly RandomLine[], script: EditScript): string {
  const kept = script.filter(({ kind }) => kind !== "removed");
  const ending = file[0]!.bytes.endsWith("\r\n") ? "\r\n" : "\n";
  const isEnded = file.at(-1)!.bytes.endsWith("\n");
  return kept
    .map(({ bytes, kind }, index) => {
      const isLast = index === kept.length - 1;
      if (isLast && !isEnded && kind === "added") return bytes.trimEnd();
      return isLast || bytes.endsWith("\n") ? bytes : bytes + ending;
    })
    .join("");
}

/**
 * The chunk of a script, with as much context as makes its place certain: all lines from the first change to the last
 * and some around them, or the whole file when those could be found elsewhere first.
 */
export function buildChunk(
  file: readonly RandomLine[],
  script: EditScript,
  random: Random,
): string[] {
  const first = script.findIndex(({ kind }) => kind !== "context");
  const last = script.findLastIndex(({ kind }) => kind !== "context");
  const around = Math.floor(random() * 4);
  const narrow = script.slice(Math.max(0, first - around), last + 1 + around);
  const chunk = isCertain(file, script, narrow) ? narrow : script;
  const signs = { context: " ", removed: "-", added: "+" };
  return ["@@", ...chunk.map(({ kind, text }) => signs[kind] + text)];
}

function isCertain(file: readonly RandomLine[], script: EditScript, chunk: EditScript): boolean {
  const old = chunk.filter(({ kind }) => kind !== "added").map(({ text }) => text);
  const above = script.slice(0, script.indexOf(chunk[0]!)).filter(({ kind }) => kind !== "added");
  const found = file.findIndex((_, start) =>
    old.every((text, index) => file[start + index]?.text === text),
  );
  return old.length > 0 && found === above.length;
}

function spelled(text: string): [string, string] {
  return [Buffer.from(text).toString("latin1"), text];
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)]!;
}

import { PatchError } from "./patch-error.ts";

/** One line of a chunk; a context line stays as the file has it. */
export interface ChunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

export interface Chunk {
  /** A line to go to first, such as the head of a function. */
  readonly context: string | undefined;
  readonly lines: readonly ChunkLine[];
  /** The lines are the last of the file. */
  readonly isEndOfFile: boolean;
}

/** What a patch does to one file; paths as written. */
export type Hunk =
  | { readonly type: "add"; readonly path: string; readonly text: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly chunks: readonly Chunk[];
    };

const beginMarker = "*** Begin Patch";
const endMarker = "*** End Patch";
const addMarker = "*** Add File: ";
const deleteMarker = "*** Delete File: ";
const updateMarker = "*** Update File: ";
const moveMarker = "*** Move to: ";
const endOfFileMarker = "*** End of File";
const heredocStarts = ["<<EOF", "<<'EOF'", '<<"EOF"'];

/**
 * A patch from its text, more lenient than the grammar the model is given: white space around it and around hunk
 * headers, a heredoc wrapper, `\r\n` and a missing first `@@` are accepted. No hunk at all is no error here. Throws
 * {@link PatchError}; lines are counted from the begin marker.
 */
export function parsePatch(text: string): readonly Hunk[] {
  const lines = splitLines(text.trim());
  const problem = markerProblem(lines);
  if (problem === undefined) return parseHunks(lines.slice(1, -1));
  if (!isHeredoc(lines)) throw problem;
  const inner = lines.slice(1, -1);
  const innerProblem = markerProblem(inner);
  if (innerProblem !== undefined) throw innerProblem;
  return parseHunks(inner.slice(1, -1));
}

function splitLines(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

function markerProblem(lines: readonly string[]): PatchError | undefined {
  if (lines[0]?.trim() !== beginMarker)
    return new PatchError(`invalid patch: The first line of the patch must be '${beginMarker}'`);
  if (lines.length < 2 || lines.at(-1)?.trim() !== endMarker)
    return new PatchError(`invalid patch: The last line of the patch must be '${endMarker}'`);
  return undefined;
}

function isHeredoc(lines: readonly string[]): boolean {
  return (
    lines.length >= 4 && heredocStarts.includes(lines[0]!) && Boolean(lines.at(-1)?.endsWith("EOF"))
  );
}

function parseHunks(lines: readonly string[]): Hunk[] {
  const cursor = new Cursor(lines);
  const hunks: Hunk[] = [];
  while (!cursor.isAtEnd) hunks.push(parseHunk(cursor));
  return hunks;
}

/** Walks the lines between the markers and knows their number in the patch. */
class Cursor {
  readonly #lines: readonly string[];
  #position = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#lines.length;
  }

  /** The line that is next; the empty string at the end. */
  get line(): string {
    return this.#lines[this.#position] ?? "";
  }

  /** The begin marker is line 1. */
  get number(): number {
    return this.#position + 2;
  }

  advance(): void {
    this.#position += 1;
  }
}

function parseHunk(cursor: Cursor): Hunk {
  const [header, number] = [cursor.line.trim(), cursor.number];
  cursor.advance();
  const rest = (marker: string) =>
    header.startsWith(marker) ? header.slice(marker.length) : undefined;
  const added = rest(addMarker);
  if (added !== undefined) return { type: "add", path: added, text: parseAdded(cursor) };
  const deleted = rest(deleteMarker);
  if (deleted !== undefined) return { type: "delete", path: deleted };
  const updated = rest(updateMarker);
  if (updated !== undefined) return parseUpdate(cursor, updated, number);
  throw invalidHunk(
    number,
    `'${header}' is not a valid hunk header. Valid hunk headers: '${addMarker}{path}', '${deleteMarker}{path}', '${updateMarker}{path}'`,
  );
}

function parseAdded(cursor: Cursor): string {
  let text = "";
  for (; !cursor.isAtEnd && cursor.line.startsWith("+"); cursor.advance())
    text += `${cursor.line.slice(1)}\n`;
  return text;
}

function parseUpdate(cursor: Cursor, path: string, number: number): Hunk {
  let moveTo: string | undefined;
  if (cursor.line.startsWith(moveMarker)) {
    moveTo = cursor.line.slice(moveMarker.length);
    cursor.advance();
  }
  const chunks: Chunk[] = [];
  for (; !cursor.isAtEnd && !cursor.line.startsWith("***");) {
    if (cursor.line.trim() === "") cursor.advance();
    else chunks.push(parseChunk(cursor, chunks.length === 0));
  }
  // A file may be moved as it is: the grammar offers it.
  if (chunks.length === 0 && moveTo === undefined)
    throw invalidHunk(number, `Update file hunk for path '${path}' is empty`);
  return { type: "update", path, moveTo, chunks };
}

function parseChunk(cursor: Cursor, isFirst: boolean): Chunk {
  const first = cursor.line;
  const hasMarker = first === "@@" || first.startsWith("@@ ");
  if (!hasMarker && !isFirst)
    throw invalidHunk(
      cursor.number,
      `Expected update hunk to start with a @@ context marker, got: '${first}'`,
    );
  // The original counts from the chunk's first line, marker or not.
  const errorNumber = cursor.number + 1;
  if (hasMarker) cursor.advance();
  const context = first.startsWith("@@ ") ? first.slice(3) : undefined;
  return { context, ...parseChunkLines(cursor, errorNumber) };
}

function parseChunkLines(
  cursor: Cursor,
  errorNumber: number,
): { lines: ChunkLine[]; isEndOfFile: boolean } {
  const lines: ChunkLine[] = [];
  for (; !cursor.isAtEnd && cursor.line !== endOfFileMarker; cursor.advance()) {
    const line = chunkLine(cursor.line);
    if (line === undefined && lines.length > 0) return { lines, isEndOfFile: false };
    if (line === undefined)
      throw invalidHunk(
        errorNumber,
        `Unexpected line found in update hunk: '${cursor.line}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`,
      );
    lines.push(line);
  }
  if (lines.length === 0) throw invalidHunk(errorNumber, "Update hunk does not contain any lines");
  const isEndOfFile = !cursor.isAtEnd;
  if (isEndOfFile) cursor.advance();
  return { lines, isEndOfFile };
}

const kinds = { " ": "context", "-": "removed", "+": "added" } as const;

function chunkLine(line: string): ChunkLine | undefined {
  const sign = line.slice(0, 1);
  if (sign === "") return { kind: "context", text: "" };
  return sign === " " || sign === "-" || sign === "+"
    ? { kind: kinds[sign], text: line.slice(1) }
    : undefined;
}

function invalidHunk(number: number, reason: string): PatchError {
  return new PatchError(`invalid hunk at line ${number}, ${reason}`);
}

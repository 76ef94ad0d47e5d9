import { closeSync, openSync, readSync } from "node:fs";
import { FactGatherer, FactRecord, type ThreadFacts } from "./thread-facts.ts";

/**
 * The facts of a thread without its conversation, whose lines are passed over unparsed; undefined when the file
 * cannot be read or names no thread. Holds one line at a time.
 */
export function readSessionSummary(path: string): ThreadFacts | undefined {
  const gatherer = new FactGatherer();
  try {
    for (const line of linesOf(path)) {
      const record = factIn(line);
      if (record !== undefined) gatherer.apply(record);
    }
  } catch {
    return undefined;
  }
  return gatherer.facts();
}

/** The kind of a line is said near its beginning. */
const headBytes = 200;
const conversationLine = /"type":\s*"(?:response_item|tool_output|compacted)"/;

function factIn(line: Buffer): FactRecord | undefined {
  if (conversationLine.test(line.toString("latin1", 0, headBytes))) return undefined;
  try {
    return FactRecord.safeParse(JSON.parse(line.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

const chunkBytes = 64 * 1024;

function* linesOf(path: string): Generator<Buffer> {
  const descriptor = openSync(path, "r");
  try {
    let parts: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const length = readSync(descriptor, chunk);
      if (length === 0) break;
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1 && end < length; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, end)]);
        parts = [];
        from = end + 1;
      }
      if (from < length) parts.push(chunk.subarray(from, length));
    }
    yield Buffer.concat(parts);
  } finally {
    closeSync(descriptor);
  }
}

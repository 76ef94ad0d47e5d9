import { decodeLossy } from "../tools/utf8.ts";
import type { RetainedOutput } from "./head-tail-buffer.ts";

/** Retained output as a person or a model reads it. */
export interface OutputText {
  readonly text: string;
  /** Bytes of the whole output as text, those dropped from its middle included. */
  readonly originalBytes: number;
  readonly omittedBytes: number;
}

/**
 * UTF-8 with one U+FFFD per invalid sequence; NUL and escape sequences pass. Where the middle is missing a line says
 * how many bytes; a character torn by that gap counts as missing.
 */
export function outputText(retained: RetainedOutput): OutputText {
  if (retained.omittedBytes === 0) {
    const text = decodeLossy(joined(retained));
    return { text, originalBytes: Buffer.byteLength(text), omittedBytes: 0 };
  }
  const headEnd = retained.head.length - incompleteEndLength(retained.head);
  const tailStart = tornStartLength(retained.tail);
  const head = decodeLossy(retained.head.subarray(0, headEnd));
  const tail = decodeLossy(retained.tail.subarray(tailStart));
  const omittedBytes = retained.omittedBytes + (retained.head.length - headEnd) + tailStart;
  return {
    text: `${head}\n${omittedLine(omittedBytes)}\n${tail}`,
    originalBytes: Buffer.byteLength(head) + omittedBytes + Buffer.byteLength(tail),
    omittedBytes,
  };
}

/** The line that stands for missing output. */
export function omittedLine(omittedBytes: number): string {
  return `... ${omittedBytes} bytes omitted ...`;
}

/** How many bytes at the end begin a UTF-8 character whose rest has not come: 0 to 3. */
export function incompleteEndLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length]!;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > length ? length : 0;
  }
  return 0;
}

function joined({ head, tail }: RetainedOutput): Uint8Array {
  return tail.length === 0 ? head : Buffer.concat([head, tail]);
}

function tornStartLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < Math.min(3, bytes.length) && isContinuation(bytes[length]!)) length += 1;
  return length;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** By the first byte; 1 for a byte that starts no character. */
function characterLength(firstByte: number): number {
  if (firstByte < 0xc2 || firstByte > 0xf4) return 1;
  if (firstByte < 0xe0) return 2;
  return firstByte < 0xf0 ? 3 : 4;
}

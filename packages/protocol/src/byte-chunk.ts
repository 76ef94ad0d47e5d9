/**
 * Padded standard base64, as bytes travel inside JSON. A byte field is a plain string in every schema and is
 * decoded here, once: a pattern over megabytes of text overflows the stack, a base64 schema costs 40 times more.
 */
export function encodeBase64(bytes: Uint8Array): string {
  return asBuffer(bytes).toString("base64");
}

/** The bytes, or undefined for anything but padded standard base64 (no blanks, no url alphabet, no stray bits). */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Node skips what it does not know; only the text it would have written itself is exact.
  return bytes.toString("base64") === text ? bytes : undefined;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Text from bytes: UTF-8 (a byte order mark is dropped), or UTF-16 when its mark says so. A character cut off by the
 * end is dropped when `isCut`. Throws a `TypeError` for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array, isCut: boolean): string {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  return decoder.decode(bytes, { stream: isCut });
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

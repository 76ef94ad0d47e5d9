const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text of bytes that should be UTF-8: one U+FFFD for each maximal invalid sequence, a byte order mark kept. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** The longest part of `text`, from its start, of at most `limit` bytes; a character is never cut. */
export function takeBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= limit
    ? text
    : decodeLossy(bytes.subarray(0, characterBorder(bytes, limit)));
}

/** The last position not after `position` where a character of these UTF-8 bytes begins. */
export function characterBorder(bytes: Uint8Array, position: number): number {
  if (position >= bytes.length) return bytes.length;
  let border = position;
  // A character has at most three continuation bytes; more of them in a row are no character and may be cut anywhere.
  while (border > 0 && position - border < 3 && isContinuation(bytes[border])) border -= 1;
  return isContinuation(bytes[border]) ? position : border;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

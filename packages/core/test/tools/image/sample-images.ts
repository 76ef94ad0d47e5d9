/** Small images of every kind a model takes. */
export const images = {
  png: base64(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4ISeHFTEMLQkAkL9BAbKfPiIAAAAASUVORK5CYII=",
  ),
  gif: base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  webpLossy: base64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"),
  webpLossless: base64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="),
  webpExtended: Buffer.concat([
    Buffer.from("RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"),
    Buffer.from([299 & 255, 299 >> 8, 0, 69_999 & 255, (69_999 >> 8) & 255, 69_999 >> 16]),
  ]),
};

/** The segments of a JPEG that say its size, without any picture. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from("ffc00011080000000003012200021101031101", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const start = Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex");
  return Buffer.concat([start, frame, Buffer.from("ffd9", "hex")]);
}

export function bytesOf(latin1: string): Buffer {
  return Buffer.from(latin1, "latin1");
}

function base64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

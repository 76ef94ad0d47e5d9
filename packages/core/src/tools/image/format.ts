/** What the first bytes of an image say. */
export interface ImageFormat {
  readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

type Reader = (bytes: Buffer) => ImageFormat | undefined;

/**
 * The format of an image, told by its bytes and never by its name; undefined when they are none of the four that
 * models take, or the file is cut short.
 */
export function imageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [png, jpeg, gif, webp]) {
    const format = read(buffer);
    if (format !== undefined && format.width > 0 && format.height > 0) return format;
  }
  return undefined;
}

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

/** A signature, then chunks of length, name, data and checksum, from IHDR to IEND. */
const png: Reader = (bytes) => {
  if (!startsWith(bytes, pngSignature) || name(bytes, 12) !== "IHDR") return undefined;
  let at = pngSignature.length;
  while (at + 12 <= bytes.length && name(bytes, at + 4) !== "IEND")
    at += bytes.readUInt32BE(at) + 12;
  if (at + 12 > bytes.length) return undefined;
  return { mimeType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

/** Segments of marker and length; a start-of-frame segment holds the size. */
const jpeg: Reader = (bytes) => {
  if (!startsWith(bytes, Buffer.from([0xff, 0xd8, 0xff]))) return undefined;
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) === -1) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (isStartOfFrame(marker))
      return {
        mimeType: "image/jpeg",
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    at += marker === 0xff ? 1 : bytes.readUInt16BE(at + 2) + 2;
  }
  return undefined;
};

/** C0 to CF but for the three that are tables and extensions. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

const gif: Reader = (bytes) => {
  const signature = bytes.toString("latin1", 0, 6);
  if ((signature !== "GIF87a" && signature !== "GIF89a") || bytes.length < 14) return undefined;
  return { mimeType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
};

/** RIFF with its own length, then one of three kinds of first chunk. */
const webp: Reader = (bytes) => {
  if (name(bytes, 0) !== "RIFF" || name(bytes, 8) !== "WEBP" || bytes.length < 30) return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const size = webpSize(bytes);
  return size && { mimeType: "image/webp", ...size };
};

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (name(bytes, 12)) {
    case "VP8 ":
      return {
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}

function name(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 4);
}

import { imageFormat } from "./format.ts";

/** As base64 this is just under what the Responses API takes in one request (50 MB). */
export const maxImageBytes = 32 * 1024 * 1024;

/** Pixels on a side; the server scales down, but an image that only unpacks to something huge is refused. */
export const maxImageSide = 16_384;

/**
 * An image as a `data:` URL for the model, bytes untouched; or the problem, so that an image no server will take never
 * gets into a conversation.
 */
export function imageDataUrl(
  bytes: Uint8Array,
): { readonly url: string } | { readonly problem: string } {
  if (bytes.length > maxImageBytes) return { problem: tooManyBytes(bytes.length) };
  const format = imageFormat(bytes);
  if (format === undefined) return { problem: "invalid or unsupported image data" };
  const { mimeType, width, height } = format;
  if (Math.max(width, height) > maxImageSide)
    return {
      problem: `the image is ${width} x ${height} pixels, the limit is ${maxImageSide} on a side`,
    };
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { url: `data:${mimeType};base64,${base64}` };
}

/** For a file whose size is known before it is read. */
export function tooManyBytes(size: number): string {
  return `the image has ${size} bytes, the limit is ${maxImageBytes}`;
}

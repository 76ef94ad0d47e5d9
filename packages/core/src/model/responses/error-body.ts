import type { Readable } from "node:stream";

const maxBytes = 64 * 1024;
const maxWaitMs = 5000;

/**
 * The beginning of a body as text, 64 KiB at most, and what has come within 5 s or before the connection broke: a
 * status is worth reporting without its reason. Destroys the body.
 */
export async function readErrorBody(body: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), maxWaitMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Uint8Array);
      size += (chunk as Uint8Array).byteLength;
      if (size >= maxBytes) break;
    }
  } catch {
    // Whatever came is what there is.
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes));
}

import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { constants, createBrotliDecompress, createInflate, createGunzip } from "node:zlib";
import { ModelError } from "../model-client.ts";

/**
 * The bytes of an answer as they were before `content-encoding` (gzip, deflate, br), each as soon as it can be known.
 * A broken connection or broken coding errors the stream; one that ends too early just ends. Throws a
 * {@link ModelError} of kind `stream` for a coding we cannot undo.
 */
export function decodedBody(incoming: IncomingMessage): Readable {
  const encoding = (incoming.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return incoming;
  const decoder = decoderFor(encoding);
  incoming.on("error", (error) => decoder.destroy(error));
  return incoming.pipe(decoder);
}

function decoderFor(encoding: string): Transform {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
  const zlib = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(zlib);
    case "deflate":
      return createInflate(zlib);
    case "br":
      return createBrotliDecompress({
        flush: BROTLI_OPERATION_FLUSH,
        finishFlush: BROTLI_OPERATION_FLUSH,
      });
    default:
      throw new ModelError(
        "stream",
        `cannot read an answer with content-encoding \`${encoding}\``,
        {
          isRetryable: false,
          phase: "request",
        },
      );
  }
}

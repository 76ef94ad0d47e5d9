import {
  decodeBase64,
  execServerCurrent,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "@codex/protocol";
import { randomUUID } from "node:crypto";

type Call = <Definition extends RequestDefinition>(
  definition: Definition,
  params: ParamsOf<Definition>,
) => Promise<ResultOf<Definition>>;

/** The largest block the original gives. */
const maxBlockBytes = 1024 * 1024;

const { requests } = execServerCurrent;

/** A part of a file, from a server that has no call for it: the file is opened, read in blocks, and closed. */
export async function readBlocks(
  path: string,
  { offset, length }: { readonly offset: number; readonly length: number },
  call: Call,
): Promise<Uint8Array> {
  // A name has at most 32 bytes there.
  const handleId = randomUUID().replaceAll("-", "");
  await call(requests.fsOpen, { handleId, path });
  try {
    const blocks: Uint8Array[] = [];
    for (let at = 0, isAtEnd = false; at < length && !isAtEnd;) {
      const len = Math.min(length - at, maxBlockBytes);
      const { chunk, eof } = await call(requests.fsReadBlock, {
        handleId,
        offset: offset + at,
        len,
      });
      const bytes = decodeBase64(chunk) ?? new Uint8Array(0);
      blocks.push(bytes);
      at += bytes.length;
      isAtEnd = eof || bytes.length === 0;
    }
    return new Uint8Array(Buffer.concat(blocks));
  } finally {
    await call(requests.fsClose, { handleId }).catch(() => undefined);
  }
}

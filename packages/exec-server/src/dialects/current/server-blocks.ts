import { SplicedResult } from "@codex/jsonrpc";
import { type CurrentParams, type CurrentResult, decodeBase64 } from "@codex/protocol";
import type { Session } from "../../server/session.ts";
import type { GrantedExtensions } from "./extensions.ts";
import { intentOf } from "./intent.ts";
import { invalidParams, invalidRequest, readingFile } from "./server-errors.ts";
import { toPath } from "./server-files.ts";

/** From the original. */
const maxBlockBytes = 1024 * 1024;

/** `fs/open` and what goes with it, over a session's handles. */
export class CurrentBlocks {
  readonly #session: Session;
  readonly #extensions: GrantedExtensions;

  constructor(session: Session, extensions: GrantedExtensions) {
    this.#session = session;
    this.#extensions = extensions;
  }

  async open(params: CurrentParams<"fsOpen">): Promise<CurrentResult<"fsOpen">> {
    const { handleId, mode } = params;
    const path = toPath(params.path);
    const sandbox = intentOf(params, this.#extensions);
    const { order, handles } = this.#session;
    await (mode === "replace"
      ? order.exclusive(() => handles.openForReplacing(handleId, path, sandbox))
      : order.shared(() =>
          readingFile(path, this.#extensions.has("errorKinds"), () =>
            handles.openForReading(handleId, path),
          ),
        ));
    return { handleId };
  }

  async read({ handleId, offset, len }: CurrentParams<"fsReadBlock">): Promise<SplicedResult> {
    checkLength("read", len);
    const { order, handles } = this.#session;
    const bytes = await order.shared(() => handles.read(handleId, offset, len));
    return new SplicedResult('{"chunk":"', bytes, `","eof":${bytes.byteLength < len}}`);
  }

  async write(params: CurrentParams<"fsWriteBlock">): Promise<CurrentResult<"fsWriteBlock">> {
    const { handleId, offset, chunk } = params;
    const bytes = decodeBase64(chunk);
    if (bytes === undefined) throw invalidParams("Invalid padding");
    checkLength("write", bytes.byteLength);
    const { order, handles } = this.#session;
    await order.exclusive(async () => handles.write(handleId, offset, bytes));
    return {};
  }

  async close({ handleId }: CurrentParams<"fsClose">): Promise<CurrentResult<"fsClose">> {
    const { order, handles } = this.#session;
    await order.exclusive(() => handles.close(handleId));
    return {};
  }
}

function checkLength(what: "read" | "write", length: number): void {
  if (length < 1 || length > maxBlockBytes)
    throw invalidRequest(`file ${what} block length must be between 1 and ${maxBlockBytes}`);
}

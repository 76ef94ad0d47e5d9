import { type FileMetadata, type FileSystem, FileSystemError } from "@codex/environment";
import type { AbsolutePath, SandboxIntent } from "@codex/protocol";

/** Handles of one session at once. */
const maxHandles = 256;

/** Blocks of files that are being replaced, all together. */
const maxHeldBytes = 64 * 1024 * 1024;

export type FileHandleErrorKind = "duplicate" | "unknown" | "wrongMode" | "limit";

/** A call about a handle that the session refuses. */
export class FileHandleError extends Error {
  override readonly name = "FileHandleError";
  readonly kind: FileHandleErrorKind;

  constructor(kind: FileHandleErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface ReadHandle {
  readonly mode: "read";
  readonly path: AbsolutePath;
  readonly metadata: FileMetadata;
}

interface ReplaceHandle {
  readonly mode: "replace";
  readonly path: AbsolutePath;
  readonly sandbox: SandboxIntent;
  bytes: Uint8Array;
  length: number;
}

/**
 * Files read or written in blocks, over any file system. A file that is read must stay as it was when it was opened:
 * a block of a changed one is refused, so that nobody gets a mixture. One that is replaced is emptied when it is opened
 * and written when it is closed.
 */
export class FileHandles {
  readonly #files: FileSystem;
  readonly #handles = new Map<string, ReadHandle | ReplaceHandle>();
  #heldBytes = 0;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  async openForReading(handleId: string, path: AbsolutePath): Promise<void> {
    this.#check(handleId);
    const metadata = await this.#files.getMetadata(path);
    if (!metadata.isFile) throw new FileSystemError("isDirectory", path, "not a file");
    this.#add(handleId, { mode: "read", path, metadata });
  }

  async openForReplacing(
    handleId: string,
    path: AbsolutePath,
    sandbox: SandboxIntent,
  ): Promise<void> {
    this.#check(handleId);
    await this.#files.writeFile(path, new Uint8Array(), { sandbox });
    this.#add(handleId, { mode: "replace", path, sandbox, bytes: new Uint8Array(), length: 0 });
  }

  async read(handleId: string, offset: number, length: number): Promise<Uint8Array> {
    const handle = this.#find(handleId);
    if (handle.mode !== "read") throw wrongMode();
    const { path, metadata } = handle;
    const bytes = await this.#files.readRange(path, { offset, length });
    const now = await this.#files.getMetadata(path);
    if (now.size !== metadata.size || now.modifiedAtMs !== metadata.modifiedAtMs)
      throw new FileSystemError("other", path, "the file was changed while it was open");
    return bytes;
  }

  write(handleId: string, offset: number, bytes: Uint8Array): void {
    const handle = this.#find(handleId);
    if (handle.mode !== "replace") throw wrongMode();
    const end = offset + bytes.byteLength;
    const grown = Math.max(end - handle.bytes.byteLength, 0);
    if (this.#heldBytes + grown > maxHeldBytes)
      throw new FileHandleError("limit", `files are too large: the limit is ${maxHeldBytes} bytes`);
    if (grown > 0) this.#enlarge(handle, end);
    handle.bytes.set(bytes, offset);
    handle.length = Math.max(handle.length, end);
  }

  /** Nothing happens for a handle that is not open. */
  async close(handleId: string): Promise<void> {
    const handle = this.#handles.get(handleId);
    this.#handles.delete(handleId);
    if (handle?.mode !== "replace") return;
    const { path, bytes, length, sandbox } = handle;
    try {
      await this.#files.writeFile(path, bytes.subarray(0, length), { sandbox });
    } finally {
      this.#heldBytes -= bytes.byteLength;
    }
  }

  #check(handleId: string): void {
    if (this.#handles.has(handleId))
      throw new FileHandleError("duplicate", `file handle \`${handleId}\` already exists`);
    if (this.#handles.size >= maxHandles)
      throw new FileHandleError("limit", `too many open files: the limit is ${maxHandles}`);
  }

  #add(handleId: string, handle: ReadHandle | ReplaceHandle): void {
    this.#check(handleId);
    this.#handles.set(handleId, handle);
  }

  #find(handleId: string): ReadHandle | ReplaceHandle {
    const handle = this.#handles.get(handleId);
    if (handle === undefined)
      throw new FileHandleError("unknown", `unknown file handle \`${handleId}\``);
    return handle;
  }

  /** Twice as much as before, as long as that is allowed, so that a byte is moved once on average. */
  #enlarge(handle: ReplaceHandle, end: number): void {
    const { byteLength } = handle.bytes;
    const room = maxHeldBytes - this.#heldBytes + byteLength;
    const bytes = new Uint8Array(Math.max(end, Math.min(byteLength * 2, room)));
    bytes.set(handle.bytes.subarray(0, handle.length));
    this.#heldBytes += bytes.byteLength - byteLength;
    handle.bytes = bytes;
  }
}

function wrongMode(): FileHandleError {
  return new FileHandleError("wrongMode", "Bad file descriptor (os error 9)");
}

import {
  type DirectoryEntry,
  type FileSystem,
  type FileSystemErrorKind,
  osErrorMessage,
  type OsErrorCode,
} from "@codex/environment";
import { type AbsolutePath, joinPath } from "@codex/protocol";
import { expect, onTestFinished } from "vitest";

/** What a side offers beyond the seven calls of the seed. What it does not is asserted to be refused as `unsupported`, or to be left untold. */
export interface FileSystemOffers {
  readonly canonicalize: boolean;
  readonly rename: boolean;
  /** `mode` of `writeFile` and of metadata. */
  readonly fileMode: boolean;
  /** `size` of metadata. */
  readonly fileSize: boolean;
  /** `isSymlink` of metadata; without it always false. */
  readonly linkMetadata: boolean;
  /** `atomic` of `writeFile`. */
  readonly atomicWrite: boolean;
  /** `sandbox` of the changing calls. */
  readonly sandbox: boolean;
}

export const everyFileOffer: FileSystemOffers = {
  canonicalize: true,
  rename: true,
  fileMode: true,
  fileSize: true,
  linkMetadata: true,
  atomicWrite: true,
  sandbox: true,
};

/** A file system under test, with a fresh place in it. */
export interface FileSystemSubject extends AsyncDisposable {
  readonly fileSystem: FileSystem;
  /** An empty directory on that side, real and link-free; nothing else uses it. */
  readonly root: AbsolutePath;
  readonly offers: FileSystemOffers;
  readonly makeSymlink: (target: string, path: AbsolutePath) => Promise<void>;
  /** Makes a directory inside `parent` that cannot be listed and gives its name as listed; left out where that cannot be made. */
  readonly makeUnreadableDirectory?: (parent: AbsolutePath) => Promise<string>;
}

export type OpenFileSystem = () => Promise<FileSystemSubject>;

/** What a test works with: the subject, closed after the test, and short ways to make fixtures through the interface. */
export interface Workbench extends FileSystemSubject {
  readonly at: (relative: string) => AbsolutePath;
  readonly write: (relative: string, text: string) => Promise<void>;
  readonly read: (relative: string) => Promise<string>;
  readonly names: (relative: string) => Promise<string[]>;
}

export async function openWorkbench(open: OpenFileSystem): Promise<Workbench> {
  const subject = await open();
  onTestFinished(() => subject[Symbol.asyncDispose]());
  const { fileSystem, root } = subject;
  const at = (relative: string) => joinPath(root, relative);
  return {
    ...subject,
    [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose](),
    at,
    async write(relative, text) {
      await fileSystem.createDirectory(at(`${relative}/..`));
      await fileSystem.writeFile(at(relative), bytesOf(text));
    },
    read: async (relative) => new TextDecoder().decode(await fileSystem.readFile(at(relative))),
    names: async (relative) =>
      (await fileSystem.readDirectory(at(relative))).map(({ fileName }) => fileName).toSorted(),
  };
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** One listed entry. */
export function entry(fileName: string, kind: "directory" | "file" | "link"): DirectoryEntry {
  return {
    fileName,
    isDirectory: kind === "directory",
    isFile: kind === "file",
    isSymlink: kind === "link",
  };
}

export async function expectOsError(
  call: Promise<unknown>,
  code: OsErrorCode,
  kind: FileSystemErrorKind,
): Promise<void> {
  await expectRefusal(call, { kind, message: osErrorMessage(code) });
}

export async function expectRefusal(
  call: Promise<unknown>,
  facts: { readonly kind: FileSystemErrorKind; readonly message?: string; readonly path?: string },
): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: "FileSystemError", ...facts });
}

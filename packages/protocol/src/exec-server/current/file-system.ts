import * as z from "zod";
import { SandboxIntent } from "../../sandbox-intent.ts";
import { chunk, pathUri, sandbox } from "./fields.ts";

const path = pathUri.describe(
  "`file:` URI of an absolute path; a plain absolute path is taken too.",
);

const dataBase64 = z.string().describe("Content as padded standard base64.");

const sandboxIntent = SandboxIntent.optional().describe(
  "Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`.",
);

const asked = { path, sandbox };
const changed = { path, sandbox, sandboxIntent };

// A schema of its own for each method: the generated files name every one.
const done = () => z.object({}).describe("Empty: it is done.");

export const FsReadFileParams = z.object(asked);
export const FsReadFileResponse = z.object({ dataBase64 });

export const FsReadRangeParams = z
  .object({
    path,
    offset: z.int().min(0).describe("First byte wanted."),
    length: z.int().min(0).describe("Bytes wanted; fewer come only from the end of the file."),
  })
  .describe("Extension `readRange`.");
export const FsReadRangeResponse = z.object({ dataBase64 });

const mode = z
  .int()
  .min(0)
  .max(0o7777)
  .optional()
  .describe("Extension `fileMode`: permission bits; left out, an existing file keeps its own.");

export const FsWriteFileParams = z.object({
  ...changed,
  dataBase64,
  mode,
  atomic: z
    .boolean()
    .optional()
    .describe("Extension `atomicWrite`: a reader sees the old or the new file, never a part."),
});
export const FsWriteFileResponse = done();

export const FsCreateDirectoryParams = z.object({
  ...changed,
  recursive: z
    .boolean()
    .nullish()
    .describe("Make parents, and accept an existing directory. Default true."),
});
export const FsCreateDirectoryResponse = done();

export const FsGetMetadataParams = z.object({
  ...asked,
  followSymlinks: z
    .boolean()
    .nullish()
    .describe("False refuses a path that holds a symbolic link anywhere. Default true."),
});
export const FsGetMetadataResponse = z.object({
  isDirectory: z.boolean().describe("The path leads to a directory, links followed."),
  isFile: z.boolean().describe("The path leads to a regular file, links followed."),
  isSymlink: z.boolean().describe("The path itself is a symbolic link."),
  size: z.int().describe("Bytes, links followed."),
  createdAtMs: z
    .int()
    .describe("Creation time in milliseconds since 1970; 0 where it is not known."),
  modifiedAtMs: z.int().describe("Time of the last change, in milliseconds since 1970."),
  mode: z.int().optional().describe("Extension `fileMode`: permission bits, links followed."),
});

export const FsReadDirectoryParams = z.object({
  ...asked,
  everyEntry: z
    .boolean()
    .optional()
    .describe("Extension `entryKinds`: the entries themselves, with `isSymlink`."),
});
export const FsReadDirectoryEntry = z.object({
  fileName: z.string().describe("Name within the directory, not a path."),
  isDirectory: z.boolean().describe("It leads to a directory; with `everyEntry`, it is one."),
  isFile: z.boolean().describe("It leads to a regular file; with `everyEntry`, it is one."),
  isSymlink: z
    .boolean()
    .optional()
    .describe("With `everyEntry`: it is a symbolic link, whatever it leads to."),
});
export const FsReadDirectoryResponse = z.object({
  entries: z
    .array(FsReadDirectoryEntry)
    .describe("In no promised order. Links that lead nowhere are left out without `everyEntry`."),
});

export const FsRemoveParams = z.object({
  ...changed,
  recursive: z.boolean().nullish().describe("Remove what a directory holds. Default true."),
  force: z.boolean().nullish().describe("A missing path is no error. Default true."),
});
export const FsRemoveResponse = done();

export const FsCopyParams = z.object({
  sourcePath: path,
  destinationPath: path,
  recursive: z.boolean().describe("Needed to copy a directory."),
  sandbox,
  sandboxIntent,
});
export const FsCopyResponse = done();

export const FsRenameParams = z
  .object({ sourcePath: path, destinationPath: path, sandbox, sandboxIntent })
  .describe("Extension `rename`: replaces an existing file.");
export const FsRenameResponse = done();

export const FsCanonicalizeParams = z.object(asked);
export const FsCanonicalizeResponse = z.object({
  path: pathUri.describe("The path with every link resolved, as a `file:` URI."),
});

export const WalkOptions = z
  .object({
    maxDepth: z.int().min(0).describe("0 for the directory's own entries; at most 64."),
    maxDirectories: z.int().min(0).describe("Directories to read, 1 to 10,000."),
    maxEntries: z.int().min(0).describe("Entries to give, 1 to 50,000."),
    followDirectorySymlinks: z
      .boolean()
      .describe("Links to directories count as directories; each directory is read once."),
    pruneHiddenDirectories: z.boolean().describe("Directories with a leading dot are not read."),
    everyEntry: z
      .boolean()
      .optional()
      .describe("Extension `entryKinds`: links and special files are given too."),
    metadata: z
      .boolean()
      .optional()
      .describe("Extension `walkMetadata`: every entry with `size`, `mode` and `modifiedAtMs`."),
  })
  .describe("How far to go, and into what.");

export const FsWalkParams = z.object({ ...asked, options: WalkOptions });
export const WalkEntry = z.object({
  path,
  kind: z
    .enum(["file", "directory", "symlink", "other"])
    .describe("`symlink` and `other` only with `everyEntry`."),
  size: z.int().optional().describe("With `metadata`: bytes, links followed."),
  mode: z.int().optional().describe("With `metadata`: permission bits, links followed."),
  modifiedAtMs: z.int().optional().describe("With `metadata`: time of the last change."),
});
export const WalkError = z.object({
  path,
  message: z.string().describe("Why it could not be read."),
});
export const FsWalkResponse = z.object({
  entries: z.array(WalkEntry).describe("Breadth first, by name inside a directory."),
  errors: z.array(WalkError).describe("Directories below the first that could not be read."),
  truncated: z.boolean().describe("True when a limit, or 4 MiB of answer, cut it short."),
});

const handleId = z.string().describe("Handle chosen by the client; scoped to the session.");

export const FsOpenParams = z.object({
  handleId,
  ...changed,
  mode: z
    .enum(["read", "replace"])
    .nullish()
    .describe("`replace` empties the file and takes blocks. Default `read`."),
});
export const FsOpenResponse = z.object({ handleId });

export const FsReadBlockParams = z.object({
  handleId,
  offset: z.int().min(0).describe("First byte wanted."),
  len: z.int().describe("Bytes wanted, 1 to 1,048,576."),
});
export const FsReadBlockResponse = z.object({
  chunk,
  eof: z.boolean().describe("True when fewer than `len` bytes were left."),
});

export const FsWriteBlockParams = z.object({
  handleId,
  offset: z.int().min(0).describe("Where the block goes."),
  chunk,
});
export const FsWriteBlockResponse = done();

export const FsCloseParams = z.object({ handleId });
export const FsCloseResponse = z.object({}).describe("Empty, also for a handle that is not open.");

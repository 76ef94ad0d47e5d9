import * as z from "zod";
import { parseWirePath } from "../../file-uri.ts";

const absolute = z
  .string()
  .refine((text) => parseWirePath(text) !== undefined, "expected an absolute path");

const path = absolute.describe("Absolute path on the server; a `file:` URI is taken too.");

const dataBase64 = z.string().describe("Content as padded standard base64.");

// A schema of its own for each method: the generated files name every one.
const done = () => z.object({}).describe("Empty: it is done.");

export const FsReadFileParams = z.object({ path });
export const FsReadFileResponse = z.object({ dataBase64 });

export const FsWriteFileParams = z.object({ path, dataBase64 });
export const FsWriteFileResponse = done();

export const FsCreateDirectoryParams = z.object({
  path,
  recursive: z
    .boolean()
    .nullish()
    .describe("Make parents, and accept an existing directory. Default true."),
});
export const FsCreateDirectoryResponse = done();

export const FsGetMetadataParams = z.object({ path });
export const FsGetMetadataResponse = z.object({
  isDirectory: z.boolean().describe("The path leads to a directory, links followed."),
  isFile: z.boolean().describe("The path leads to a regular file, links followed."),
  createdAtMs: z
    .int()
    .describe("Creation time in milliseconds since 1970; 0 where it is not known."),
  modifiedAtMs: z.int().describe("Time of the last change, in milliseconds since 1970."),
});

export const FsReadDirectoryParams = z.object({ path });
export const FsReadDirectoryEntry = z.object({
  fileName: z.string().describe("Name within the directory, not a path."),
  isDirectory: z
    .boolean()
    .describe("The entry itself is a directory; a link to a directory is not."),
  isFile: z.boolean().describe("The entry itself is a regular file; a link to a file is not."),
  isSymlink: z.boolean().describe("The entry is a symbolic link, whatever it leads to."),
});
export const FsReadDirectoryResponse = z.object({
  entries: z.array(FsReadDirectoryEntry).describe("In no promised order."),
});

export const FsRemoveParams = z.object({
  path,
  recursive: z.boolean().nullish().describe("Remove what a directory holds. Default true."),
  force: z.boolean().nullish().describe("A missing path is no error. Default true."),
});
export const FsRemoveResponse = done();

export const FsCopyParams = z.object({
  sourcePath: absolute.describe("Absolute path to copy from."),
  destinationPath: absolute.describe("Absolute path to copy to."),
  recursive: z.boolean().default(false).describe("Needed to copy a directory. Default false."),
});
export const FsCopyResponse = done();

export type FsReadFileParams = z.infer<typeof FsReadFileParams>;
export type FsReadFileResponse = z.infer<typeof FsReadFileResponse>;
export type FsWriteFileParams = z.infer<typeof FsWriteFileParams>;
export type FsCreateDirectoryParams = z.infer<typeof FsCreateDirectoryParams>;
export type FsGetMetadataParams = z.infer<typeof FsGetMetadataParams>;
export type FsGetMetadataResponse = z.infer<typeof FsGetMetadataResponse>;
export type FsReadDirectoryParams = z.infer<typeof FsReadDirectoryParams>;
export type FsReadDirectoryEntry = z.infer<typeof FsReadDirectoryEntry>;
export type FsReadDirectoryResponse = z.infer<typeof FsReadDirectoryResponse>;
export type FsRemoveParams = z.infer<typeof FsRemoveParams>;
export type FsCopyParams = z.infer<typeof FsCopyParams>;

import { resolve } from "node:path";
import { imageDataUrl, type InputImage, maxImageBytes } from "@codex/core";
import { createLocalFileSystem, type FileSystem, isFileSystemError } from "@codex/environment";
import { type AbsolutePath, toAbsolutePath } from "@codex/protocol";

/**
 * The images `-i` names: files of this machine, relative to the process's own directory. One that cannot be used
 * ends nothing: its problem goes to the model in its place.
 */
export async function readImages(
  paths: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<InputImage[]> {
  const fileSystem = createLocalFileSystem();
  const images: InputImage[] = [];
  for (const path of paths) {
    const file = toAbsolutePath(resolve(cwd, path));
    images.push({ path, ...(await readImage(fileSystem, file, signal)) });
  }
  return images;
}

async function readImage(
  fileSystem: FileSystem,
  file: AbsolutePath,
  signal: AbortSignal,
): Promise<{ readonly url: string } | { readonly problem: string }> {
  try {
    const { isFile, size = 0 } = await fileSystem.getMetadata(file, { signal });
    if (!isFile) return { problem: "it is not a file" };
    if (size > maxImageBytes)
      return { problem: `the image has ${size} bytes, the limit is ${maxImageBytes}` };
    return imageDataUrl(await fileSystem.readFile(file, { signal }));
  } catch (error) {
    if (isFileSystemError(error)) return { problem: error.message };
    throw error;
  }
}

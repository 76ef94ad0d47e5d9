import type { FileMetadata, FileSystem } from "@codex/environment";
import { type AbsolutePath, joinPath } from "@codex/protocol";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failFileCall } from "./file-failure.ts";
import { imageDataUrl, maxImageBytes, tooManyBytes } from "./image/data-url.ts";
import { RespondToModelError, type Tool } from "./tool.ts";

export interface ViewImageOptions {
  readonly fileSystem: FileSystem;
  /** A relative path starts here. */
  readonly cwd: AbsolutePath;
  /** Whether the model takes images at all. */
  readonly supportsImages: boolean;
  /** What the server is asked for: the pixels as they are, or scaled down. */
  readonly detail: "original" | "high";
}

/** `view_image`: an image of the environment goes into the conversation, or the reason why it cannot. */
export function createViewImageTool(options: ViewImageOptions): Tool {
  const { fileSystem, cwd, supportsImages, detail } = options;
  return defineTool({
    name: "view_image",
    description: "Looks at an image file (PNG, JPEG, GIF or WebP) that is on the machine.",
    parameters: z.object({ path: z.string().describe("Path of the image file.") }),
    isParallel: true,
    async run(args, { signal }) {
      if (!supportsImages)
        throw new RespondToModelError(
          "view_image is not allowed because you do not support image inputs",
        );
      const bytes = await readImage(fileSystem, joinPath(cwd, args.path), signal);
      const image = imageDataUrl(bytes);
      if ("problem" in image) throw unusable(image.problem);
      return {
        output: [{ type: "input_image", image_url: image.url, detail }],
        isSuccess: true,
      };
    },
  });
}

async function readImage(
  fileSystem: FileSystem,
  path: AbsolutePath,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const metadata: FileMetadata = await fileSystem
    .getMetadata(path, { signal })
    .catch((error: unknown) =>
      failFileCall(error, (reason) => `unable to locate image at \`${path}\`: ${reason}`),
    );
  if (!metadata.isFile) throw new RespondToModelError(`image path \`${path}\` is not a file`);
  const { size = 0 } = metadata;
  if (size > maxImageBytes) throw unusable(tooManyBytes(size));
  return fileSystem
    .readFile(path, { signal })
    .catch((error: unknown) =>
      failFileCall(error, (reason) => `unable to read image at \`${path}\`: ${reason}`),
    );
}

function unusable(problem: string): RespondToModelError {
  return new RespondToModelError(`unable to process image: ${problem}`);
}

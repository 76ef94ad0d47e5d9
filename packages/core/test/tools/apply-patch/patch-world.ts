import type { FileSystem } from "@codex/environment";
import { createMemoryFileSystem, type MemoryFiles } from "@codex/environment/testing";
import { type AbsolutePath, fullAccess, joinPath, toAbsolutePath } from "@codex/protocol";
import {
  type ApplyPatchOptions,
  createApplyPatchTool,
} from "../../../src/tools/apply-patch/tool.ts";
import { runTool } from "../run-tool.ts";

export const cwd = toAbsolutePath("/w");

/** A patch from the lines between its markers. */
export const patchOf = (...lines: string[]) =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** A folder `/w` with files, relative names, and a patch tool over it. */
export function patchWorld(
  files: MemoryFiles,
  options: Partial<ApplyPatchOptions> & { readonly wrap?: (near: FileSystem) => FileSystem } = {},
) {
  const { wrap = (near) => near, ...rest } = options;
  const memory = createMemoryFileSystem(
    {
      "/w/": "",
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`/w/${name}`, text])),
    },
    rest.temporaryDirectory && { temporaryDirectory: rest.temporaryDirectory },
  );
  const fileSystem = wrap(memory);
  const settings = { fileSystem, cwd, sandbox: fullAccess, now: () => 0, ...rest };
  const tool = createApplyPatchTool("freeform", settings);
  return {
    memory,
    settings,
    tool,
    apply: (...lines: string[]) => runTool(tool, patchOf(...lines)),
    run: (patch: string) => runTool(tool, patch),
    files: () => filesBelow(memory),
  };
}

/** Every file below a folder with its text (one character for a byte), by relative name. */
export async function filesBelow(
  fileSystem: FileSystem,
  folder: AbsolutePath = cwd,
): Promise<Record<string, string>> {
  const { entries } = await fileSystem.walk(folder, { maxDepth: 9, maxEntries: 999 });
  const found: Record<string, string> = {};
  for (const { relativePath, isFile } of entries)
    if (isFile)
      found[relativePath] = Buffer.from(
        await fileSystem.readFile(joinPath(folder, relativePath)),
      ).toString("latin1");
  return found;
}

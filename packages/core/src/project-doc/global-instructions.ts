import { type FileSystem, isFileSystemError } from "@codex/environment";
import { type AbsolutePath, joinPath } from "@codex/protocol";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The person's own instructions from the agent's home on this machine: the first of `AGENTS.override.md` and
 * `AGENTS.md` that is UTF-8 and not blank, trimmed. A file that is not there or cannot be read counts as blank.
 */
export async function loadGlobalInstructions(
  fileSystem: FileSystem,
  codexHome: AbsolutePath,
): Promise<string | undefined> {
  const names = ["AGENTS.override.md", "AGENTS.md"];
  const texts = await Promise.all(
    names.map((name) => readText(fileSystem, joinPath(codexHome, name))),
  );
  return texts.map((text) => text.trim()).find((text) => text !== "");
}

async function readText(fileSystem: FileSystem, path: AbsolutePath): Promise<string> {
  try {
    return strict.decode(await fileSystem.readFile(path));
  } catch (error) {
    if (isFileSystemError(error) || error instanceof TypeError) return "";
    throw error;
  }
}

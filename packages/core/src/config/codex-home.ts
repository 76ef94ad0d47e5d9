import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import { isAbsent, reason } from "./toml-file.ts";

/**
 * The directory of the user's own files: `CODEX_HOME`, which must be an existing directory and is made canonical, or
 * `~/.codex`, which need not exist.
 */
export async function findCodexHome(
  variables: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): Promise<string> {
  const wanted = variables["CODEX_HOME"];
  if (wanted === undefined || wanted === "") return join(homeDirectory, ".codex");
  const quoted = JSON.stringify(wanted);
  const metadata = await stat(wanted).catch((error: unknown) => {
    if (isAbsent(error))
      throw unusable(`CODEX_HOME points to ${quoted}, but that path does not exist`);
    throw unusable(`failed to read CODEX_HOME ${quoted}: ${reason(error)}`, error);
  });
  if (!metadata.isDirectory())
    throw unusable(`CODEX_HOME points to ${quoted}, but that path is not a directory`);
  return await realpath(wanted).catch((error: unknown) => {
    throw unusable(`failed to canonicalize CODEX_HOME ${quoted}: ${reason(error)}`, error);
  });
}

/**
 * The user's own instructions for every project: the first of `AGENTS.override.md` and `AGENTS.md` in the home that
 * can be read and is not blank, trimmed.
 */
export async function readUserInstructions(codexHome: string): Promise<string | undefined> {
  for (const name of ["AGENTS.override.md", "AGENTS.md"]) {
    const text = await readText(join(codexHome, name));
    if (text !== undefined && text.trim() !== "") return text.trim();
  }
  return undefined;
}

function unusable(message: string, cause?: unknown): ConfigError {
  return new ConfigError("codexHome", message, { cause });
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch {
    // Missing, unreadable and no UTF-8 are all "no instructions here".
    return undefined;
  }
}

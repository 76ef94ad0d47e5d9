import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import { isAbsent, reason } from "./toml-file.ts";

/**
 * The directory of the user's own files: `CODEX_HOME`, which must be an existing directory and is made canonical, or
 * `~/.codex`, which need not exist.
 */
export function findCodexHome(
  variables: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): string {
  const wanted = variables["CODEX_HOME"];
  if (wanted === undefined || wanted === "") return join(homeDirectory, ".codex");
  const quoted = JSON.stringify(wanted);
  if (!isDirectory(wanted, quoted))
    throw unusable(`CODEX_HOME points to ${quoted}, but that path is not a directory`);
  try {
    return realpathSync.native(wanted);
  } catch (error) {
    throw unusable(`failed to canonicalize CODEX_HOME ${quoted}: ${reason(error)}`, error);
  }
}

/**
 * The user's own instructions for every project: the first of `AGENTS.override.md` and `AGENTS.md` in the home that
 * can be read and is not blank, trimmed.
 */
export function readUserInstructions(codexHome: string): string | undefined {
  for (const name of ["AGENTS.override.md", "AGENTS.md"]) {
    const text = readText(join(codexHome, name))?.trim();
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}

function isDirectory(path: string, quoted: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isAbsent(error))
      throw unusable(`CODEX_HOME points to ${quoted}, but that path does not exist`, error);
    throw unusable(`failed to read CODEX_HOME ${quoted}: ${reason(error)}`, error);
  }
}

function unusable(message: string, cause?: unknown): ConfigError {
  return new ConfigError("codexHome", message, { cause });
}

function readText(file: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch {
    // Missing, unreadable and no UTF-8 are all "no instructions here".
    return undefined;
  }
}

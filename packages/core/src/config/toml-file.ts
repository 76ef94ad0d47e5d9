import { readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import { ConfigError, type ConfigErrorKind } from "./config-error.ts";
import { locatedMessage } from "./diagnostics.ts";
import type { TomlTable } from "./toml-table.ts";

export interface TomlFile {
  readonly file: string;
  readonly source: string;
  readonly table: TomlTable;
}

/** First lines of the two messages, where they are not the ordinary ones. */
export interface TomlFileTexts {
  readonly read: string;
  readonly syntax: string;
}

/**
 * Reads and parses a TOML file; undefined when there is none. Throws a {@link ConfigError} of kind `read` or `syntax`.
 */
export function readTomlFile(
  file: string,
  texts: TomlFileTexts = {
    read: `Failed to read config file ${file}: `,
    syntax: "Error loading config.toml:\n",
  },
): TomlFile | undefined {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw new ConfigError("read", `${texts.read}${reason(error)}`, { cause: error });
  }
  return { file, source, table: parseToml(file, source, texts.syntax) };
}

/** True when the error says that there is no such file. */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** An error's message in a few words. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parseToml(file: string, source: string, heading: string): TomlTable {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const location = { file, line: error.line, column: error.column, endColumn: error.column + 1 };
    const [text = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    const kind: ConfigErrorKind = "syntax";
    throw new ConfigError(kind, heading + locatedMessage(location, source, text), {
      cause: error,
      location,
    });
  }
}

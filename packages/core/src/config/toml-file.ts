import { readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import { ConfigError } from "./config-error.ts";
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
    const { line, column } = error;
    const word = bareWordAt(source, line, column);
    const location = { file, line, column, endColumn: column + Math.max(1, word.length) };
    // The library's message ends with an excerpt of its own.
    const [reason = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    const text = word === "" ? reason : `${reason}: text needs quotes, \`"${word}"\``;
    throw new ConfigError("syntax", heading + locatedMessage(location, source, text), {
      cause: error,
      location,
    });
  }
}

/** A word that stands where a value should, as the rest of its line: `model = gpt`. */
function bareWordAt(source: string, line: number, column: number): string {
  const text = source.split(/\r?\n/)[line - 1] ?? "";
  if (!/^[^="'#]*=\s*$/.test(text.slice(0, column - 1))) return "";
  return /^[A-Za-z][^\s"'#,\]}]*(?=\s*(#|$))/.exec(text.slice(column - 1))?.[0] ?? "";
}

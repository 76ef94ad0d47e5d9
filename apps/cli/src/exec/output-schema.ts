import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { StartError } from "../start-error.ts";

/** The JSON Schema `--output-schema` names: a file of this machine, relative to the process's own directory. */
export async function readOutputSchema(
  path: string,
  cwd: string,
): Promise<Readonly<Record<string, unknown>>> {
  const value = parse(path, await read(path, cwd));
  if (isObject(value)) return value;
  throw new StartError(`Output schema file ${path} is not a JSON object`);
}

async function read(path: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), "utf8");
  } catch (cause) {
    throw new StartError(`Failed to read output schema file ${path}: ${text(cause)}`, { cause });
  }
}

function parse(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new StartError(`Output schema file ${path} is not valid JSON: ${text(cause)}`, { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode, startError } from "./os-error.ts";

/** Where the C library looks when a process has no PATH. */
const defaultPath = "/bin:/usr/bin";

/**
 * The file that would run as `name` in `cwd` with this PATH, absolute. Asked before the start, so that a missing
 * program and a missing directory are told apart (the kernel says ENOENT to both) and a terminal never shows the text
 * of a failed exec as if the program had written it. Throws a `ProcessError`: `badCwd`, `notFound`, `permissionDenied`.
 */
export function lookUpProgram(name: string, cwd: string, path: string | undefined): string {
  checkDirectory(cwd);
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : (path ?? defaultPath).split(":").map((folder) => resolve(cwd, folder, name));
  let refused: string | undefined;
  for (const file of candidates) {
    const code = whyNotExecutable(file);
    if (code === undefined) return file;
    if (code === "EACCES") refused ??= file;
  }
  throw startError(
    refused === undefined ? systemError("ENOENT", name) : systemError("EACCES", refused),
  );
}

function checkDirectory(cwd: string): void {
  try {
    if (!statSync(cwd).isDirectory()) throw systemError("ENOTDIR", cwd);
    accessSync(cwd, constants.X_OK);
  } catch (cause) {
    throw startError(cause, "badCwd");
  }
}

/** The code of the reason; a search tries many places, so no error is made for each. */
function whyNotExecutable(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return "ENOENT";
    if (!found.isFile()) return "EACCES";
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    return errorCode(error) ?? "EACCES";
  }
}

interface SystemError extends Error {
  readonly code: string;
  readonly path: string;
}

function systemError(code: string, path: string): SystemError {
  return Object.assign(new Error(`${code}: cannot run in or from '${path}'`), { code, path });
}

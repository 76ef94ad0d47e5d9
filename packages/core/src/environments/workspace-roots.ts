import { realpath } from "node:fs/promises";
import type { WorkspaceRoots } from "@codex/environment";
import { type AbsolutePath, parseAbsolutePath } from "@codex/protocol";
import { EnvironmentError } from "./environment-error.ts";

/** The session's folder here and there, when it has another name there; here also by its real path. */
export async function workspaceRoots(
  cwd: AbsolutePath,
  { name, workspaceRoot }: { readonly name: string; readonly workspaceRoot: string | undefined },
): Promise<WorkspaceRoots | undefined> {
  if (workspaceRoot === undefined) return undefined;
  const there = parseAbsolutePath(workspaceRoot);
  if (there === undefined)
    throw new EnvironmentError(name, `its workspace root must be absolute, not ${workspaceRoot}`);
  const real = parseAbsolutePath(await realpath(cwd).catch(() => cwd)) ?? cwd;
  return { local: real === cwd ? [cwd] : [cwd, real], environment: [there] };
}

import { tmpdir } from "node:os";
import { fullAccess } from "@codex/protocol";
import {
  exactEnvironment,
  openSpawnContext,
  ProcessError,
  type ProcessExit,
  type SpawnContext,
  type SpawnedProcess,
  spawnProcess,
  type SpawnOptions,
} from "@codex/pty";

export const tty = { rows: 24, columns: 80 };

/** Starts shell scripts in a context of its own; disposing it ends them all. */
export function openBench(changes: Partial<SpawnContext> = {}) {
  const context = openSpawnContext({ PATH: process.env["PATH"], TMPDIR: tmpdir() });
  const start = (
    script: string,
    options: Partial<SpawnOptions> = {},
    signal?: AbortSignal,
  ): Promise<SpawnedProcess> =>
    spawnProcess({ ...shell(script), ...options }, { ...context, ...changes }, signal);
  return {
    start,
    run: async (script: string, options: Partial<SpawnOptions> = {}) =>
      finished(await start(script, options)),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

export function shell(script: string): SpawnOptions {
  return {
    argv: ["sh", "-c", script],
    cwd: "/",
    env: exactEnvironment({ PATH: process.env["PATH"] ?? "", LC_ALL: "C" }),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  };
}

export async function finished(
  process: SpawnedProcess,
): Promise<{ output: string; exit: ProcessExit }> {
  const chunks: Uint8Array[] = [];
  for await (const { bytes } of process.output) chunks.push(bytes);
  await process.closed;
  return { output: Buffer.concat(chunks).toString(), exit: await process.exit };
}

/** The next chunk as text; the empty string at the end. */
export async function next(output: AsyncIterator<{ readonly bytes: Uint8Array }>): Promise<string> {
  const { done, value } = await output.next();
  return done === true ? "" : Buffer.from(value.bytes).toString();
}

export async function kindOf(call: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  return error instanceof ProcessError ? error.kind : undefined;
}

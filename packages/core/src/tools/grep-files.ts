import {
  type Environment,
  type EnvironmentPolicy,
  ProcessError,
  type SpawnedProcess,
} from "@codex/environment";
import { type AbsolutePath, joinPath, type SandboxIntent } from "@codex/protocol";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failFileCall } from "./file-failure.ts";
import { RespondToModelError, type Tool, type ToolOutput } from "./tool.ts";
import { decodeLossy } from "./utf8.ts";
import { wholeNumber } from "./whole-number.ts";

/** More paths than this are never given at once. */
const maxLimit = 2000;

/** Output that is kept: room for 2,000 of the longest paths there are (4,096 bytes). */
const maxOutputBytes = 8 * 1024 * 1024;

const Parameters = z.object({
  pattern: z.string().describe("Regular expression to look for in the files."),
  include: z.string().optional().describe("Glob that files must match, such as `*.{ts,tsx}`."),
  path: z
    .string()
    .optional()
    .describe("File or directory to search (default: the working directory)."),
  limit: wholeNumber().optional().describe("How many paths to give at most (default 100)."),
});

export interface GrepFilesOptions {
  readonly environment: Environment;
  /** A relative path starts here; the search runs here. */
  readonly cwd: AbsolutePath;
  /** The variables of the search; only PATH matters to it. */
  readonly env: EnvironmentPolicy;
  readonly sandbox: SandboxIntent;
  /** Default 30,000. */
  readonly timeoutMs?: number;
}

/** `grep_files`: paths of files that hold a pattern, last modified first. Runs the environment's ripgrep. */
export function createGrepFilesTool(options: GrepFilesOptions): Tool {
  const { environment, cwd } = options;
  return defineTool({
    name: "grep_files",
    description:
      "Finds files whose content matches a regular expression and gives their paths, last modified first.",
    parameters: Parameters,
    isParallel: true,
    async run(args, { signal }) {
      const { limit = 100, include = "" } = args;
      const pattern = args.pattern.trim();
      if (pattern === "") throw new RespondToModelError("pattern must not be empty");
      if (limit === 0) throw new RespondToModelError("limit must be greater than zero");
      const path = joinPath(cwd, args.path ?? "");
      await environment.fileSystem
        .getMetadata(path, { signal })
        .catch((error: unknown) =>
          failFileCall(error, (reason) => `unable to access \`${path}\`: ${reason}`),
        );
      const found = await search(argvOf({ pattern, path, include }), options, signal);
      return answer(found, Math.min(limit, maxLimit));
    },
  });
}

function argvOf(query: {
  readonly pattern: string;
  readonly path: string;
  readonly include: string;
}): string[] {
  const include = query.include.trim();
  return [
    "rg",
    "--files-with-matches",
    "--sortr=modified",
    "--no-messages",
    `--regexp=${query.pattern}`,
    ...(include === "" ? [] : [`--glob=${include}`]),
    "--",
    query.path,
  ];
}

interface Search {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function search(
  argv: readonly string[],
  options: GrepFilesOptions,
  signal: AbortSignal,
): Promise<Search> {
  const { timeoutMs = 30_000 } = options;
  await using process = await start(argv, options, signal);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  deadline.addEventListener("abort", () => void process.terminate({ graceMs: 0 }).catch(noop));
  const found = await collect(process);
  signal.throwIfAborted();
  if (deadline.aborted)
    throw new RespondToModelError(`rg timed out after ${timeoutMs / 1000} seconds`);
  return found;
}

async function start(
  argv: readonly string[],
  { environment, cwd, env, sandbox }: GrepFilesOptions,
  signal: AbortSignal,
): Promise<SpawnedProcess> {
  try {
    const spawn = { argv, cwd, env, sandbox, tty: false, stdin: "closed" } as const;
    return await environment.start(spawn, signal);
  } catch (error) {
    if (!(error instanceof ProcessError) || error.kind === "lost") throw error;
    throw new RespondToModelError(
      `failed to launch rg: ${error.message}. Ensure ripgrep is installed and on PATH.`,
      { cause: error },
    );
  }
}

async function collect(process: SpawnedProcess): Promise<Search> {
  const kept = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let size = 0;
  for await (const { stream, bytes } of process.output) {
    size += bytes.length;
    if (size <= maxOutputBytes) kept[stream === "stderr" ? "stderr" : "stdout"].push(bytes);
  }
  const { code } = await process.exit;
  const text = (parts: Uint8Array[]) => decodeLossy(Buffer.concat(parts));
  return { exitCode: code, stdout: text(kept.stdout), stderr: text(kept.stderr) };
}

function answer({ exitCode, stdout, stderr }: Search, limit: number): ToolOutput {
  if (exitCode > 1) throw new RespondToModelError(`rg failed: ${stderr.trim()}`);
  const paths = stdout.split("\n").filter((line) => line !== "");
  if (paths.length === 0) return { output: "No matches found.", isSuccess: false };
  return { output: paths.slice(0, limit).join("\n"), isSuccess: true };
}

/** A process that cannot be ended is lost, which its output says. */
function noop(): void {}

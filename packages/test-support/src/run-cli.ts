import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ThreadEvent } from "@codex/protocol";

/** The CLI's entry in this checkout; needs a build. */
export const cliPath: string = fileURLToPath(
  new URL("../../../apps/cli/bin/codex.js", import.meta.url),
);

export interface RunCliOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables besides PATH, and HOME when given. Nothing else of this process gets through. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default `none`: /dev/null. `open`: a pipe that is yours through `onStart`. `text`: a pipe that holds it and ends. A number: that descriptor. */
  readonly stdin?: "none" | "open" | { readonly text: string } | number;
  /** SIGKILL after this long; the result then has `signal: "SIGKILL"` and `isTimedOut`. Default 20 s. */
  readonly timeoutMs?: number;
  /** Called once the process exists: to send signals, write input, close its output. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Called with everything on stdout so far whenever there is more. */
  readonly onStdout?: (text: string, child: ChildProcess) => void;
  /** Program and first arguments; default: this Node and {@link cliPath}. */
  readonly command?: readonly string[];
}

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isTimedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of stdout that are JSON objects, parsed. */
  readonly events: readonly ThreadEvent[];
  readonly durationMs: number;
}

/** Runs the built CLI to its end. Settles when it has exited and its output is read; never hangs. */
export async function runCli(options: RunCliOptions): Promise<CliResult> {
  const { args, cwd, env = {}, stdin = "none", timeoutMs = 20_000 } = options;
  const [program = process.execPath, ...first] = options.command ?? [process.execPath, cliPath];
  const startedAtMs = performance.now();
  const child = spawn(program, [...first, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...env },
    stdio: stdioFor(stdin),
  });
  const output = collect(child, options.onStdout);
  if (typeof stdin === "object") child.stdin?.end(stdin.text);
  child.stdin?.on("error", () => {});
  options.onStart?.(child);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  const durationMs = performance.now() - startedAtMs;
  await output.read(2_000);
  const { stdout, stderr } = output;
  return { code, signal, isTimedOut, stdout, stderr, events: parseEvents(stdout), durationMs };
}

function stdioFor(stdin: NonNullable<RunCliOptions["stdin"]>): StdioOptions {
  const input = stdin === "none" ? "ignore" : typeof stdin === "number" ? stdin : "pipe";
  return [input, "pipe", "pipe"];
}

interface CollectedOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Waits for the end of both streams, `ms` at most: a left-over child may hold them open. */
  read(ms: number): Promise<void>;
}

function collect(child: ChildProcess, onStdout: RunCliOptions["onStdout"]): CollectedOutput {
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      if (name === "stdout") onStdout?.(text.stdout, child);
    });
  }
  const ended = once(child, "close");
  return {
    get stdout() {
      return text.stdout;
    },
    get stderr() {
      return text.stderr;
    },
    async read(ms) {
      let timer: NodeJS.Timeout | undefined;
      const bound = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
      await Promise.race([ended, bound]);
      clearTimeout(timer);
    },
  };
}

function parseEvents(stdout: string): ThreadEvent[] {
  const events: ThreadEvent[] = [];
  for (const line of stdout.split("\n")) {
    if (!line.startsWith("{")) continue;
    try {
      events.push(JSON.parse(line) as ThreadEvent);
    } catch {
      // A line that is no event: the text itself is there to look at.
    }
  }
  return events;
}

import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { createExecTools } from "../../src/tools/exec-tools.ts";
import type { ToolOutput } from "../../src/tools/tool.ts";
import { UnifiedExecManager } from "../../src/unified-exec/manager.ts";
import type { UnifiedExecOptions } from "../../src/unified-exec/unified-exec-options.ts";
import { ManualClock } from "./manual-clock.ts";
import { RecordedItems } from "./recorded-items.ts";
import { ScriptedEnvironment } from "./scripted-environment.ts";

export const inheritNothing = {
  inherit: "none",
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
} as const;

export type ThreadOptions = Pick<UnifiedExecOptions, "environment"> &
  Partial<Omit<UnifiedExecOptions, "items">>;

/** One thread's commands behind their two tools, called as the model calls them. */
export class ScriptedThread implements AsyncDisposable {
  readonly items = new RecordedItems();
  readonly manager: UnifiedExecManager;
  readonly tools;

  constructor(options: ThreadOptions) {
    this.manager = new UnifiedExecManager({
      items: this.items,
      threadId: "thread-1",
      cwd: toAbsolutePath("/work"),
      shellEnvironmentPolicy: inheritNothing,
      sandbox: fullAccess,
      allowLoginShell: true,
      emptyPollMaxMs: 300_000,
      outputBudget: { unit: "tokens", limit: 10_000 },
      ids: "counting",
      ...options,
    });
    this.tools = createExecTools(this.manager);
  }

  exec(args: object, signal?: AbortSignal): Promise<ToolOutput> {
    return this.#call("exec_command", args, signal);
  }

  write(args: object, signal?: AbortSignal): Promise<ToolOutput> {
    return this.#call("write_stdin", args, signal);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.manager[Symbol.asyncDispose]();
  }

  async #call(name: string, args: object, signal = new AbortController().signal) {
    const tool = this.tools.find((each) => each.name === name)!;
    const call = { kind: "function", name, callId: "call-1", input: JSON.stringify(args) } as const;
    const context = { callId: "call-1", turnId: "turn-1", signal, items: this.items };
    return tool.run(call, context);
  }
}

/** The facts of an answer, without its chunk id and its wall time. */
export function factsOf({ output }: ToolOutput): {
  exitCode?: number;
  sessionId?: number;
  output: string;
} {
  const [, exitCode, sessionId, text] =
    /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\n(?:Process exited with code (-?\d+)|Process running with session ID (\d+))\nOriginal token count: \d+\nOutput:\n(.*)$/s.exec(
      output as string,
    ) ?? [];
  if (text === undefined) throw new Error(`not an answer: ${JSON.stringify(output)}`);
  return {
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    ...(sessionId === undefined ? {} : { sessionId: Number(sessionId) }),
    output: text,
  };
}

/** A thread whose processes and whose time are in the test's hands. */
export function scripted(options: Partial<ThreadOptions> & { name?: string } = {}) {
  const { name, ...others } = options;
  const environment = new ScriptedEnvironment(name === undefined ? {} : { name });
  const clock = new ManualClock();
  const thread = new ScriptedThread({ environment, clock, random: () => 0.5, ...others });
  return { environment, clock, thread, items: thread.items };
}

/** A thread with one command in the background; its id is 1000. */
export async function inBackground(
  args: object = { cmd: "server" },
  options?: Partial<ThreadOptions>,
) {
  const parts = scripted(options);
  const answer = parts.thread.exec(args);
  await parts.clock.timerOf(10_000);
  await parts.clock.advance(10_000);
  await answer;
  return { ...parts, process: await parts.environment.process() };
}

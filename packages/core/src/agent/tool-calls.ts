import {
  type CustomToolCallItem,
  type FunctionCallItem,
  isCustomToolCall,
  type ToolCallOutputItem,
} from "@codex/protocol";
import type { OutputBudget } from "../model/models.ts";
import { recordedOutput } from "./recorded-output.ts";
import {
  RespondToModelError,
  type ItemSink,
  type Tool,
  type ToolCall,
  type ToolOutput,
} from "../tools/tool.ts";

export interface ToolCallsOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly items: ItemSink;
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** What an output is held to. */
  readonly outputBudget: OutputBudget;
  /** Told of every output as soon as it is there, before it has its place in the history. */
  readonly onOutput: (output: ToolCallOutputItem) => void;
}

/**
 * The tool calls of one response. A call starts as soon as it is handed in: parallel tools beside each other, any
 * other alone. `settle` gives the outputs in the order of the calls.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #outputs: Promise<ToolCallOutputItem>[] = [];
  /** Everything an exclusive call has to wait for. */
  #running: Promise<unknown>[] = [];
  /** The last exclusive call, which everybody waits for. */
  #exclusive: Promise<unknown> = Promise.resolve();
  #failures = 0;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#outputs.length;
  }

  /** How many of the settled calls did not do what they were asked to. */
  get failures(): number {
    return this.#failures;
  }

  start(item: FunctionCallItem | CustomToolCallItem): void {
    const tool = item.namespace === undefined ? this.#options.tools.get(item.name) : undefined;
    const before =
      tool?.isParallel === false
        ? Promise.all([this.#exclusive, ...this.#running])
        : this.#exclusive;
    const output = before.then(() => this.#answer(item, tool));
    // A failed call is reported by settle(); here it only must not hold up the others.
    const done = output.then(noop, noop);
    if (tool?.isParallel === false) {
      this.#exclusive = done;
      this.#running = [];
    } else {
      this.#running.push(done);
    }
    this.#outputs.push(output);
    output.catch(noop);
  }

  /** All outputs in call order; waits for every call and then throws the first error that is not the model's. */
  async settle(): Promise<ToolCallOutputItem[]> {
    const settled = await Promise.allSettled(this.#outputs);
    const failure = settled.find((one) => one.status === "rejected");
    if (failure !== undefined)
      throw new ToolFailure(
        failure.reason,
        settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
      );
    return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  async #answer(
    item: FunctionCallItem | CustomToolCallItem,
    tool: Tool | undefined,
  ): Promise<ToolCallOutputItem> {
    const { output, isSuccess } = await this.#run(item, tool);
    if (!isSuccess) this.#failures += 1;
    const recorded = recordedOutput(output, this.#options.outputBudget);
    const type = isCustomToolCall(item) ? "custom_tool_call_output" : "function_call_output";
    const answer: ToolCallOutputItem = {
      type,
      call_id: item.call_id,
      output: typeof recorded === "string" ? recorded : recorded.map((part) => ({ ...part })),
    };
    this.#options.onOutput(answer);
    return answer;
  }

  async #run(
    item: FunctionCallItem | CustomToolCallItem,
    tool: Tool | undefined,
  ): Promise<ToolOutput> {
    const call = toolCall(item);
    if (tool === undefined)
      return failed(
        `unsupported ${call.kind === "custom" ? "custom tool call" : "call"}: ${item.name}`,
      );
    if ((tool.definition.type === "custom") !== (call.kind === "custom")) return failed("aborted");
    const { signal, items, turnId, now } = this.#options;
    const startedAt = now();
    try {
      signal.throwIfAborted();
      return await abortable(
        tool.run(call, { callId: call.callId, turnId, signal, items }),
        signal,
      );
    } catch (error) {
      if (error instanceof RespondToModelError) return failed(error.message);
      if (signal.aborted)
        return failed(
          `aborted by user after ${Math.max(0.1, (now() - startedAt) / 1000).toFixed(1)}s`,
        );
      throw error;
    }
  }
}

/** A tool failed in a way that ends the turn; the other calls' outputs are kept. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly outputs: readonly ToolCallOutputItem[];

  constructor(cause: unknown, outputs: readonly ToolCallOutputItem[]) {
    super("a tool failed", { cause });
    this.outputs = outputs;
  }
}

/** A tool that does not listen to the signal must not hold up the end of the turn. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = noop;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(noop);
  }
}

function toolCall(item: FunctionCallItem | CustomToolCallItem): ToolCall {
  if (isCustomToolCall(item))
    return { kind: "custom", name: item.name, callId: item.call_id, input: item.input };
  return { kind: "function", name: item.name, callId: item.call_id, input: item.arguments };
}

function failed(output: string): ToolOutput {
  return { output, isSuccess: false };
}

function noop(): void {}

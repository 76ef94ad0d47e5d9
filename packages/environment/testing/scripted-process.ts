import {
  type OutputChunk,
  ProcessError,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type TerminalSize,
} from "@codex/environment";

/** A process that does what the test says; `process` is what the code under test gets. */
export interface ScriptedProcess {
  readonly process: SpawnedProcess;
  /** What was written to its input so far, as text. */
  readonly input: () => string;
  /** Signals, sizes and ends of input it got, in order. */
  readonly received: readonly (ProcessSignal | TerminalSize | "closeStdin")[];
  print(text: string | Uint8Array, stream?: OutputChunk["stream"]): void;
  /** Ends it; `output` ends after what was printed, unless it is told to stay open for a descendant. */
  finish(exit?: ProcessExit, options?: { readonly keepOutputOpen?: boolean }): void;
  closeOutput(): void;
  /** The executor is gone. */
  lose(reason: string): void;
}

/** `terminate` and disposal end it as SIGTERM and SIGKILL would; a signal only ends it when `onSignal` does. */
export function createScriptedProcess(
  options: {
    readonly pid?: number;
    readonly isTerminal?: boolean;
    readonly onSignal?: (name: ProcessSignal, process: ScriptedProcess) => void;
    readonly onInput?: (text: string, process: ScriptedProcess) => void;
  } = {},
): ScriptedProcess {
  const { isTerminal = false } = options;
  const exit = settleable<ProcessExit>();
  const closed = settleable<void>();
  const queue = createOutputQueue();
  const received: (ProcessSignal | TerminalSize | "closeStdin")[] = [];
  let written = "";
  let hasExited = false;

  const finish: ScriptedProcess["finish"] = (
    facts = { code: 0 },
    { keepOutputOpen = false } = {},
  ) => {
    hasExited = true;
    exit.resolve(facts);
    if (!keepOutputOpen) queue.end();
  };
  const end = (signal: "SIGTERM" | "SIGKILL", code: number) => {
    if (!hasExited) finish({ code, signal });
    queue.end();
  };
  void Promise.all([exit.promise, queue.ended]).then(
    () => closed.resolve(),
    (error: unknown) => closed.reject(error),
  );

  const scripted: ScriptedProcess = {
    input: () => written,
    received,
    print: (text, stream = isTerminal ? "pty" : "stdout") =>
      queue.push({
        stream,
        bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
      }),
    finish,
    closeOutput: () => queue.end(),
    lose(reason) {
      const error = new ProcessError("lost", reason);
      exit.reject(error);
      queue.fail(error);
    },
    process: {
      pid: options.pid,
      output: queue.output,
      exit: exit.promise,
      closed: closed.promise,
      async write(bytes, signal) {
        signal?.throwIfAborted();
        if (hasExited) throw new ProcessError("stdinClosed", "the process has ended");
        const text = new TextDecoder().decode(bytes);
        written += text;
        options.onInput?.(text, scripted);
      },
      async closeStdin() {
        if (isTerminal)
          throw new ProcessError("unsupported", "a terminal's input cannot be closed");
        received.push("closeStdin");
      },
      async resize(size) {
        if (!isTerminal) throw new ProcessError("unsupported", "only a terminal has a size");
        received.push(size);
      },
      async signal(name) {
        received.push(name);
        options.onSignal?.(name, scripted);
      },
      async terminate({ graceMs } = {}) {
        if (graceMs === 0) end("SIGKILL", 137);
        else end("SIGTERM", 143);
      },
      async [Symbol.asyncDispose]() {
        end("SIGKILL", 137);
      },
    },
  };
  return scripted;
}

interface Settleable<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** A promise with its handles; never an unhandled rejection. */
function settleable<T>(): Settleable<T> {
  let handles: Pick<Settleable<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    handles = { resolve, reject };
  });
  promise.catch(() => {});
  return {
    promise,
    resolve: (value) => handles?.resolve(value),
    reject: (reason) => handles?.reject(reason),
  };
}

function createOutputQueue() {
  const chunks: OutputChunk[] = [];
  const ended = settleable<void>();
  let isEnded = false;
  let failure: unknown;
  let wake = () => {};
  async function* read(): AsyncGenerator<OutputChunk> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (failure !== undefined) throw failure;
      else if (isEnded) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    output: read(),
    ended: ended.promise,
    push(chunk: OutputChunk) {
      chunks.push(chunk);
      wake();
    },
    end() {
      isEnded = true;
      ended.resolve();
      wake();
    },
    fail(error: unknown) {
      failure = error;
      ended.reject(error);
      wake();
    },
  };
}

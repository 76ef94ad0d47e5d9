import {
  type Environment,
  type EnvironmentInfo,
  type FileSystem,
  FileSystemError,
  type OutputChunk,
  ProcessError,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type SpawnOptions,
} from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";

/** A process that does what the test says. */
export class ScriptedProcess implements SpawnedProcess {
  readonly pid = undefined;
  readonly options: SpawnOptions;
  readonly written: string[] = [];
  readonly signals: (ProcessSignal | "terminate" | "dispose")[] = [];
  /** What `write` and `signal` do instead of succeeding. */
  refuse: ((call: "write" | "signal") => Promise<void>) | undefined;
  readonly exit: Promise<ProcessExit>;
  readonly closed: Promise<void>;
  readonly output: AsyncIterable<OutputChunk>;
  readonly #chunks: OutputChunk[] = [];
  #wake: (() => void) | undefined;
  #end: { readonly error?: Error } | undefined;
  #settleExit!: { resolve: (exit: ProcessExit) => void; reject: (error: Error) => void };
  #settleClosed!: { resolve: () => void; reject: (error: Error) => void };

  constructor(options: SpawnOptions) {
    this.options = options;
    this.exit = new Promise((resolve, reject) => (this.#settleExit = { resolve, reject }));
    this.closed = new Promise((resolve, reject) => (this.#settleClosed = { resolve, reject }));
    this.exit.catch(() => {});
    this.closed.catch(() => {});
    this.output = this.#read();
  }

  print(text: string | Uint8Array): void {
    this.#chunks.push({ stream: "stdout", bytes: Buffer.from(text as string) });
    this.#wake?.();
  }

  /** The program ends; its output stays open, as when a background child holds it. */
  end(exit: ProcessExit): void {
    this.#settleExit.resolve(exit);
  }

  close(): void {
    this.#end = {};
    this.#settleClosed.resolve();
    this.#wake?.();
  }

  finish(code: number): void {
    this.end({ code });
    this.close();
  }

  lose(): void {
    const error = new ProcessError("lost", "the executor is gone", { environment: "far" });
    this.#end = { error };
    this.#settleExit.reject(error);
    this.#settleClosed.reject(error);
    this.#wake?.();
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.written.push(Buffer.from(bytes).toString());
    await this.refuse?.("write");
  }

  async signal(name: ProcessSignal): Promise<void> {
    this.signals.push(name);
    await this.refuse?.("signal");
  }

  async terminate(): Promise<void> {
    this.signals.push("terminate");
    this.end({ code: 143, signal: "SIGTERM" });
    this.close();
  }

  async closeStdin(): Promise<void> {}
  async resize(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.signals.push("dispose");
    this.end({ code: 137, signal: "SIGKILL" });
    this.close();
  }

  async *#read(): AsyncGenerator<OutputChunk> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#end?.error) throw this.#end.error;
      else if (this.#end) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

const linux: EnvironmentInfo = {
  cwd: toAbsolutePath("/work"),
  home: toAbsolutePath("/home/me"),
  tempDirectory: toAbsolutePath("/tmp"),
  platform: "linux",
  shell: { name: "bash", path: toAbsolutePath("/bin/bash") },
};

/** An environment whose processes are in the test's hands; `files` are the only files there are. */
export class ScriptedEnvironment implements Environment {
  readonly name: string;
  readonly processes: ScriptedProcess[] = [];
  readonly fileSystem: FileSystem;
  /** Awaited before a start is answered; may throw. */
  beforeStart: ((signal: AbortSignal | undefined) => Promise<void> | void) | undefined;
  readonly #info: EnvironmentInfo;
  #waiters: (() => void)[] = [];

  constructor(
    options: {
      name?: string;
      files?: readonly string[];
      shell?: EnvironmentInfo["shell"];
    } = {},
  ) {
    this.name = options.name ?? "local";
    this.#info = { ...linux, shell: options.shell ?? linux.shell };
    this.fileSystem = filesOnly(options.files ?? []);
  }

  async info(): Promise<EnvironmentInfo> {
    return this.#info;
  }

  async start(options: SpawnOptions, signal?: AbortSignal): Promise<SpawnedProcess> {
    await this.beforeStart?.(signal);
    const process = new ScriptedProcess(options);
    this.processes.push(process);
    for (const waiter of this.#waiters.splice(0)) waiter();
    return process;
  }

  /** The n-th process, as soon as it is started. */
  async process(index = 0): Promise<ScriptedProcess> {
    while (this.processes.length <= index)
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    return this.processes[index]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function filesOnly(files: readonly string[]): FileSystem {
  const getMetadata: FileSystem["getMetadata"] = async (path) => {
    if (!files.includes(path)) throw new FileSystemError("notFound", path, "not there");
    return {
      isDirectory: false,
      isFile: true,
      isSymlink: false,
      size: 0,
      mode: 0o755,
      createdAtMs: 0,
      modifiedAtMs: 0,
    };
  };
  return { getMetadata } as FileSystem;
}

import { accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import {
  type AbsolutePath,
  type MachineFacts,
  parseAbsolutePath,
  type SandboxIntent,
  toAbsolutePath,
} from "@codex/protocol";
import {
  createBubblewrapWrap,
  createRuntimeWrap,
  openSpawnContext,
  ProcessError,
  type SandboxWrap,
  type SpawnContext,
  type SpawnedProcess,
  type SpawnOptions,
  spawnProcess,
} from "@codex/pty";
import type { Environment, EnvironmentInfo } from "./environment.ts";
import type { FileSystem } from "./file-system.ts";
import { createLocalFileSystem } from "./local-file-system.ts";
import { localMachineFacts } from "./local-machine-facts.ts";
import { findLoginShell } from "./login-shell.ts";
import { narrowIntent } from "./narrow-intent.ts";

export interface LocalEnvironmentOptions {
  /** Default `local`. */
  readonly name?: string;
  readonly cwd: AbsolutePath;
  /** This machine's variables: what processes may inherit, and where HOME, PATH and TMPDIR are read from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Enforces the intents of processes; by default bubblewrap, where it is found on PATH; on macOS a package that has to be installed. */
  readonly wrap?: SandboxWrap;
  /** Upper bound of every start and every changing file call, whatever they ask for. */
  readonly sandboxBound?: SandboxIntent;
  /** The shell in the user's account; by default the account is asked. */
  readonly userShell?: string;
}

/** This machine: its files and its processes. Owns the run's guard, so that nothing it started outlives it. */
export function createLocalEnvironment(options: LocalEnvironmentOptions): Environment {
  return new LocalEnvironment(options);
}

class LocalEnvironment implements Environment {
  readonly name: string;
  readonly fileSystem: FileSystem;
  readonly #options: LocalEnvironmentOptions;
  readonly #context: SpawnContext & AsyncDisposable;
  readonly #running = new Set<SpawnedProcess>();
  readonly #starting = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #info: EnvironmentInfo | undefined;

  constructor(options: LocalEnvironmentOptions) {
    const { name = "local", sandboxBound, variables } = options;
    const temporaryDirectory = parseAbsolutePath(variables["TMPDIR"] ?? "");
    this.name = name;
    this.fileSystem = createLocalFileSystem({
      environment: name,
      ...(temporaryDirectory && { temporaryDirectory }),
      ...(sandboxBound && { sandboxBound }),
    });
    this.#options = options;
    const wrap = options.wrap ?? wrapFor(localMachineFacts(temporaryDirectory), variables["PATH"]);
    this.#context = { ...openSpawnContext(variables), wrap };
  }

  async info(signal?: AbortSignal): Promise<EnvironmentInfo> {
    signal?.throwIfAborted();
    this.#info ??= describeMachine(this.#options);
    return this.#info;
  }

  async start(options: SpawnOptions, signal?: AbortSignal): Promise<SpawnedProcess> {
    signal?.throwIfAborted();
    if (this.#closing.signal.aborted) throw this.#closed();
    const started = this.#spawn(options, signal);
    const settled = started.then(
      () => {},
      () => {},
    );
    this.#starting.add(settled);
    try {
      return await started;
    } catch (error) {
      throw error instanceof ProcessError ? this.#named(error) : error;
    } finally {
      this.#starting.delete(settled);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(this.#closed());
    await Promise.all(this.#starting);
    await Promise.all([...this.#running].map((process) => process[Symbol.asyncDispose]()));
    await this.#context[Symbol.asyncDispose]();
  }

  async #spawn(options: SpawnOptions, signal: AbortSignal | undefined): Promise<SpawnedProcess> {
    const { sandboxBound } = this.#options;
    const sandbox = sandboxBound ? narrowIntent(options.sandbox, sandboxBound) : options.sandbox;
    const stop = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    const process = await spawnProcess({ ...options, sandbox }, this.#context, stop);
    this.#running.add(process);
    void process.closed.catch(() => {}).finally(() => this.#running.delete(process));
    return process;
  }

  #closed(): ProcessError {
    return new ProcessError("other", `the environment \`${this.name}\` is closed`, {
      environment: this.name,
    });
  }

  #named(error: ProcessError): ProcessError {
    const { kind, message } = error;
    return new ProcessError(kind, message, { cause: error.cause, environment: this.name });
  }
}

function wrapFor(machine: MachineFacts, searchPath: string | undefined): SandboxWrap {
  const { platform, arch: architecture } = process;
  return platform === "darwin"
    ? createRuntimeWrap({ machine })
    : createBubblewrapWrap({ machine, searchPath, platform, architecture });
}

function describeMachine({ cwd, variables, userShell }: LocalEnvironmentOptions): EnvironmentInfo {
  const account = readAccount();
  return {
    cwd,
    home: parseAbsolutePath(variables["HOME"] ?? "") ?? account?.home ?? toAbsolutePath("/"),
    tempDirectory: parseAbsolutePath(variables["TMPDIR"] ?? "") ?? toAbsolutePath("/tmp"),
    platform: process.platform,
    shell: findLoginShell({
      userShell: userShell ?? account?.shell,
      path: variables["PATH"],
      isProgram,
    }),
  };
}

/** Undefined for a user number without an account, as containers have them. */
function readAccount(): { home: AbsolutePath | undefined; shell: string | undefined } | undefined {
  try {
    const { homedir, shell } = userInfo();
    return { home: parseAbsolutePath(homedir), shell: shell ?? undefined };
  } catch {
    return undefined;
  }
}

function isProgram(path: AbsolutePath): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

import {
  type Environment,
  type EnvironmentInfo,
  isFileSystemError,
  osErrorMessage,
  ProcessError,
  type SpawnedProcess,
  type SpawnOptions,
} from "@codex/environment";
import { type AbsolutePath, parseAbsolutePath, toAbsolutePath } from "@codex/protocol";
import {
  createMemoryFileSystem,
  type MemoryFiles,
  type MemoryFileSystem,
} from "./memory-file-system.ts";
import { createScriptedProcess, type ScriptedProcess } from "./scripted-process.ts";

/** A program of a memory environment: reads `options`, prints to and finishes `process`. What it throws ends it with code 1, the message on stderr. */
export type MemoryProgram = (run: {
  readonly options: SpawnOptions;
  readonly process: ScriptedProcess;
  readonly fileSystem: MemoryFileSystem;
}) => void | Promise<void>;

export interface MemoryEnvironmentOptions {
  readonly name?: string;
  readonly files?: MemoryFiles;
  /** Made when missing; default `/work`. */
  readonly cwd?: string;
  /** By the name a command starts with; any other is not found. */
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  readonly info?: Partial<EnvironmentInfo>;
}

export interface MemoryEnvironment extends Environment {
  readonly fileSystem: MemoryFileSystem;
  /** What was started, in order. */
  readonly starts: readonly { readonly options: SpawnOptions; readonly process: ScriptedProcess }[];
}

/** An `Environment` from a record of paths and a record of programs: nothing of it touches this machine. */
export function createMemoryEnvironment(options: MemoryEnvironmentOptions = {}): MemoryEnvironment {
  const { name = "memory", programs = {} } = options;
  const cwd = toAbsolutePath(options.cwd ?? "/work");
  const fileSystem = createMemoryFileSystem(
    { [`${cwd}/`]: "", "/tmp/": "", "/home/user/": "", ...options.files },
    { environment: name },
  );
  const starts: { options: SpawnOptions; process: ScriptedProcess }[] = [];
  let isClosed = false;
  const refuse = (kind: ProcessError["kind"], message: string) =>
    new ProcessError(kind, message, { environment: name });

  async function start(spawn: SpawnOptions, signal?: AbortSignal): Promise<SpawnedProcess> {
    signal?.throwIfAborted();
    if (isClosed) throw refuse("other", `the environment \`${name}\` is closed`);
    const [program = ""] = spawn.argv;
    const run = programs[program];
    if (run === undefined) throw refuse("notFound", osErrorMessage("ENOENT"));
    if (!(await isDirectory(fileSystem, spawn.cwd)))
      throw refuse("badCwd", osErrorMessage("ENOENT"));
    const process = createScriptedProcess({ isTerminal: spawn.tty !== false });
    starts.push({ options: spawn, process });
    void runProgram(run, { options: spawn, process, fileSystem });
    return process.process;
  }

  return {
    name,
    fileSystem,
    starts,
    async info(signal) {
      signal?.throwIfAborted();
      return { ...memoryInfo(cwd), ...options.info };
    },
    start,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all(starts.map(({ process }) => process.process[Symbol.asyncDispose]()));
    },
  };
}

async function runProgram(
  program: MemoryProgram,
  run: Parameters<MemoryProgram>[0],
): Promise<void> {
  try {
    await program(run);
  } catch (error) {
    run.process.print(`${String(error)}\n`, "stderr");
    run.process.finish({ code: 1 });
  }
}

async function isDirectory(fileSystem: MemoryFileSystem, path: string): Promise<boolean> {
  const directory = parseAbsolutePath(path);
  if (directory === undefined) return false;
  try {
    return (await fileSystem.getMetadata(directory)).isDirectory;
  } catch (error) {
    if (isFileSystemError(error)) return false;
    throw error;
  }
}

function memoryInfo(cwd: AbsolutePath): EnvironmentInfo {
  return {
    cwd,
    home: toAbsolutePath("/home/user"),
    tempDirectory: toAbsolutePath("/tmp"),
    platform: "linux",
    shell: { name: "bash", path: toAbsolutePath("/bin/bash") },
  };
}

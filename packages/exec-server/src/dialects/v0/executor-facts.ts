import { childEnvironment } from "@codex/pty";
import {
  type EnvironmentInfo,
  type EnvironmentPolicy,
  type FileSystem,
  isFileSystemError,
} from "@codex/environment";
import { type AbsolutePath, baseName, parseAbsolutePath, toAbsolutePath } from "@codex/protocol";

/** Where programs are looked up when the server does not let us read its own variables. */
const fallbackVariables = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const shells = ["bash", "zsh", "sh"];

/**
 * v0 has no way to ask about the machine, so its own variables are read from `/proc/self/environ` there, once a
 * connection: what a command inherits is the executor's, never ours.
 */
export class V0ExecutorFacts {
  readonly #fileSystem: FileSystem;
  #variables: Promise<Readonly<Record<string, string>>> | undefined;
  #info: Promise<Omit<EnvironmentInfo, "cwd">> | undefined;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  async childEnvironment(
    policy: EnvironmentPolicy,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, string>> {
    return childEnvironment(
      policy,
      policy.inherit === "none" ? {} : await abortable(this.#readVariables(), signal),
    );
  }

  info(signal: AbortSignal | undefined): Promise<Omit<EnvironmentInfo, "cwd">> {
    this.#info ??= this.#readInfo();
    this.#info.catch(() => (this.#info = undefined));
    return abortable(this.#info, signal);
  }

  async #readInfo(): Promise<Omit<EnvironmentInfo, "cwd">> {
    const variables = await this.#readVariables();
    return {
      home: parseAbsolutePath(variables["HOME"] ?? "") ?? toAbsolutePath("/"),
      tempDirectory: parseAbsolutePath(variables["TMPDIR"] ?? "") ?? toAbsolutePath("/tmp"),
      platform: "linux",
      shell: await this.#findShell(variables["SHELL"]),
    };
  }

  async #findShell(named: string | undefined): Promise<EnvironmentInfo["shell"]> {
    const own = parseAbsolutePath(named ?? "");
    const wanted = own !== undefined && shells.includes(baseName(own)) ? [own] : [];
    const candidates = [...wanted, toAbsolutePath("/bin/bash"), toAbsolutePath("/bin/sh")];
    const isThere = await Promise.all(candidates.map((path) => this.#isFile(path)));
    const path = candidates.find((_, index) => isThere[index]) ?? toAbsolutePath("/bin/sh");
    return { name: baseName(path), path };
  }

  async #isFile(path: AbsolutePath): Promise<boolean> {
    try {
      return (await this.#fileSystem.getMetadata(path)).isFile;
    } catch (error) {
      if (isFileSystemError(error) && error.kind !== "lost") return false;
      throw error;
    }
  }

  #readVariables(): Promise<Readonly<Record<string, string>>> {
    this.#variables ??= this.#fileSystem
      .readFile(toAbsolutePath("/proc/self/environ"))
      .then(parseVariables, (error: unknown) => {
        if (isFileSystemError(error) && error.kind !== "lost") return fallbackVariables;
        this.#variables = undefined;
        throw error;
      });
    return this.#variables;
  }
}

/** `NAME=value` entries, each ended by NUL. */
function parseVariables(bytes: Uint8Array): Record<string, string> {
  const entries = Buffer.from(bytes).toString("utf8").split("\0");
  const pairs = entries.flatMap((entry): [string, string][] => {
    const at = entry.indexOf("=");
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
  });
  return pairs.length === 0 ? fallbackVariables : Object.fromEntries(pairs);
}

/** Gives up waiting; the question goes on for whoever asks next. */
async function abortable<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

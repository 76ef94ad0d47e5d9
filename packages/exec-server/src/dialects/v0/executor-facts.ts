import {
  type EnvironmentInfo,
  type EnvironmentPolicy,
  type FileSystem,
  isFileSystemError,
} from "@codex/environment";
import { type AbsolutePath, baseName, parseAbsolutePath, toAbsolutePath } from "@codex/protocol";
import { childEnvironment } from "@codex/pty";
import { orAborted } from "../../client/or-aborted.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Where programs are looked up when the server does not let us read its own variables. */
const fallbackVariables: Variables = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** Shells whose command line (`-c`, `-lc`) is known to work. */
const shells = ["bash", "zsh", "sh"];

/** The server's own secret, which is no business of the commands it runs. */
const serverToken = "CODEX_EXEC_SERVER_CONNECTION_TOKEN";

/**
 * v0 has no way to ask about the machine, so unless they are known its own variables are read from `/proc/self/environ` there, once a
 * connection: what a command inherits is the executor's, never ours. A failure that is no answer is asked again.
 */
export class V0ExecutorFacts {
  readonly #fileSystem: FileSystem;
  #variables: Promise<Variables> | undefined;
  #info: Promise<Omit<EnvironmentInfo, "cwd">> | undefined;

  constructor(fileSystem: FileSystem, variables: Variables | undefined) {
    this.#fileSystem = fileSystem;
    if (variables !== undefined) this.#variables = Promise.resolve(withoutToken(variables));
  }

  async childEnvironment(
    policy: EnvironmentPolicy,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, string>> {
    const inherited =
      policy.inherit === "none" ? {} : await orAborted(this.#readVariables(), signal);
    return childEnvironment(policy, inherited);
  }

  info(signal: AbortSignal | undefined): Promise<Omit<EnvironmentInfo, "cwd">> {
    this.#info ??= this.#readInfo().catch((error: unknown) => {
      this.#info = undefined;
      throw error;
    });
    return orAborted(this.#info, signal);
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
      if (isAnswer(error)) return false;
      throw error;
    }
  }

  #readVariables(): Promise<Variables> {
    this.#variables ??= this.#fileSystem
      .readFile(toAbsolutePath("/proc/self/environ"))
      .then(parseVariables, (error: unknown) => {
        if (isAnswer(error)) return fallbackVariables;
        this.#variables = undefined;
        throw error;
      });
    return this.#variables;
  }
}

/** The machine said no, as opposed to: nobody answered. */
function isAnswer(error: unknown): boolean {
  return isFileSystemError(error) && error.kind !== "lost";
}

/** `NAME=value` entries, each ended by NUL. */
function parseVariables(bytes: Uint8Array): Variables {
  const entries = Buffer.from(bytes).toString("utf8").split("\0");
  const pairs = entries.flatMap((entry): [string, string][] => {
    const at = entry.indexOf("=");
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
  });
  return pairs.length === 0 ? fallbackVariables : withoutToken(Object.fromEntries(pairs));
}

function withoutToken(variables: Variables): Variables {
  const { [serverToken]: _, ...others } = variables;
  return others;
}

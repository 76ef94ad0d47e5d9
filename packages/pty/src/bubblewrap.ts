import { closeSync, writeSync } from "node:fs";
import { isInside, type MachineFacts, parseAbsolutePath, writeRules } from "@codex/protocol";
import {
  bubblewrapArguments,
  findBubblewrap,
  isSeccompArchitecture,
  Leftovers,
  missingBubblewrapMessage,
  mountsFor,
  seccompProgram,
} from "@codex/sandbox";
import { type AnonymousFile, openAnonymousFile } from "./anonymous-file.ts";
import { BubblewrapRun } from "./bubblewrap-run.ts";
import type { SandboxWrap } from "./command.ts";
import { ProcessError } from "./process.ts";

export interface BubblewrapOptions {
  readonly machine: MachineFacts;
  /** PATH of this side: where `bwrap` is looked for, at every start. */
  readonly searchPath: string | undefined;
  /** As Node names them. */
  readonly platform: string;
  readonly architecture: string;
}

/**
 * Enforces intents with bubblewrap and a seccomp program (Linux). What a command leaves behind ends with it. When
 * bubblewrap cannot set the sandbox up, nothing is run: the process ends with bubblewrap's own words as its output and
 * `sandboxDenied`.
 */
export function createBubblewrapWrap(options: BubblewrapOptions): SandboxWrap {
  const leftovers = new Leftovers();
  return async ({ argv, plain, intent, isTerminal }) => {
    const rules = writeRules(intent, options.machine);
    if (rules === undefined) return plain;
    const file = findTrusted(rules.writableRoots, options);
    const filter = seccompFor(options.architecture);
    const mounts = mountsFor(rules, (path) => leftovers.isThere(path));
    const [forCommand, env] = splitLoaderVariables(plain.env);
    const { status, seccomp } = openFiles(filter, options.machine.temporaryDirectory ?? "/tmp");
    const missing = mounts.filter(({ access }) => access === "nothing").map(({ path }) => path);
    const { paths: covers, release } = leftovers.hold(missing);
    return {
      file,
      args: bubblewrapArguments({
        argv,
        cwd: plain.cwd,
        mounts: mounts.filter(({ access, path }) => access !== "nothing" || covers.has(path)),
        networkAccess: intent.networkAccess,
        variables: forCommand,
        newSession: !isTerminal,
        statusDescriptor: 3,
        seccompDescriptor: 4,
      }),
      cwd: plain.cwd,
      env,
      ownSession: true,
      descriptors: [status.write, seccomp],
      sandboxed: new BubblewrapRun({ status: status.read, isTerminal, release }),
    };
  };
}

/** A `bwrap` that sandboxed commands could have written is none. */
function findTrusted(
  writableRoots: readonly string[],
  { searchPath, platform }: BubblewrapOptions,
): string {
  const isWritable = (folder: string): boolean => {
    const path = parseAbsolutePath(folder);
    return path !== undefined && writableRoots.some((root) => isInside(path, root as typeof path));
  };
  const folders = (searchPath ?? "").split(":").filter((folder) => !isWritable(folder));
  const file = platform === "linux" ? findBubblewrap(folders.join(":")) : undefined;
  if (file === undefined)
    throw new ProcessError("sandboxUnavailable", missingBubblewrapMessage(platform));
  return file;
}

function seccompFor(architecture: string): Uint8Array {
  if (isSeccompArchitecture(architecture)) return seccompProgram(architecture);
  throw new ProcessError(
    "sandboxUnavailable",
    `the sandbox has no seccomp program for ${architecture} yet; it has one for x64 and arm64`,
  );
}

/** Bubblewrap runs outside of what it makes, so code that such a variable names must not be loaded into it. */
function splitLoaderVariables(
  env: Readonly<Record<string, string>>,
): [Record<string, string>, Record<string, string>] {
  const isLoader = ([name]: [string, string]): boolean => name.startsWith("LD_");
  const entries = Object.entries(env);
  return [
    Object.fromEntries(entries.filter(isLoader)),
    Object.fromEntries(entries.filter((entry) => !isLoader(entry))),
  ];
}

/** Where bubblewrap writes its status, and where it reads the seccomp program from. */
function openFiles(
  filter: Uint8Array,
  directory: string,
): { readonly status: AnonymousFile; readonly seccomp: number } {
  try {
    const program = openAnonymousFile(directory);
    writeSync(program.write, filter);
    closeSync(program.write);
    return { status: openAnonymousFile(directory), seccomp: program.read };
  } catch (cause) {
    throw new ProcessError(
      "sandboxUnavailable",
      `the sandbox needs to make small files in ${directory}, which failed: ${String(cause)}`,
      { cause },
    );
  }
}

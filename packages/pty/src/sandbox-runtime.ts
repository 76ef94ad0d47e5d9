import { type MachineFacts, writeRules } from "@codex/protocol";
import type { SandboxWrap } from "./command.ts";
import { ProcessError } from "./process.ts";

/** The part of `@anthropic-ai/sandbox-runtime` 0.0.78 that is used. Its settings are one per process. */
export interface SandboxRuntime {
  readonly SandboxManager: {
    initialize(settings: RuntimeSettings): Promise<void>;
    /** A shell's line to the shell's line that runs it sandboxed. */
    wrapWithSandbox(line: string, shell: string, settings: RuntimeSettings): Promise<string>;
  };
}

export interface RuntimeSettings {
  readonly network: { readonly allowedDomains: string[]; readonly deniedDomains: string[] };
  readonly filesystem: {
    readonly denyRead: string[];
    readonly allowWrite: string[];
    readonly denyWrite: string[];
  };
}

export interface RuntimeWrapOptions {
  readonly machine: MachineFacts;
  /** Gives the package; by default it is looked for where this program is installed, on first use. */
  readonly load?: () => Promise<SandboxRuntime>;
}

/**
 * Enforces intents by the package's own means: Seatbelt on macOS. Not tried there. The package cannot leave the
 * network open, so an intent with network access is refused.
 */
export function createRuntimeWrap({
  machine,
  load = loadRuntime,
}: RuntimeWrapOptions): SandboxWrap {
  let opened: Promise<SandboxRuntime["SandboxManager"]> | undefined;
  return async ({ argv, plain, intent }) => {
    const rules = writeRules(intent, machine);
    if (rules === undefined) return plain;
    if (intent.networkAccess)
      throw unavailable("the sandbox of this system cannot be combined with network access");
    opened ??= open(load);
    const manager = await opened;
    const line = await manager.wrapWithSandbox(argv.map(quoted).join(" "), shell, {
      ...closed,
      filesystem: {
        denyRead: [],
        allowWrite: [...rules.writableRoots],
        denyWrite: [...rules.protectedPaths],
      },
    });
    return { ...plain, file: shell, args: ["-c", line], ownSession: true };
  };
}

const shell = "/bin/sh";
const closed: RuntimeSettings = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
};

const packageName: string = "@anthropic-ai/sandbox-runtime";

function loadRuntime(): Promise<SandboxRuntime> {
  return import(packageName) as Promise<SandboxRuntime>;
}

async function open(
  load: () => Promise<SandboxRuntime>,
): Promise<SandboxRuntime["SandboxManager"]> {
  try {
    const { SandboxManager } = await load();
    await SandboxManager.initialize(closed);
    return SandboxManager;
  } catch (cause) {
    throw unavailable(
      `the sandbox of this system needs the package ${packageName}@0.0.78, which cannot be used: ` +
        `${cause instanceof Error ? cause.message : String(cause)}. Install it beside this program, or run without ` +
        'a sandbox: `-s danger-full-access`, or `sandbox_mode = "danger-full-access"` in config.toml.',
      cause,
    );
  }
}

function unavailable(message: string, cause?: unknown): ProcessError {
  return new ProcessError("sandboxUnavailable", message, { cause });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

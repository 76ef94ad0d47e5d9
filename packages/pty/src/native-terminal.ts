import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ProcessError } from "./process.ts";

/** A new terminal: both ends, open and non-blocking, without close-on-exec, and the slave's path. */
export interface OpenedTerminal {
  readonly master: number;
  readonly slave: number;
  readonly pty: string;
}

/** The part of the native binary of node-pty 1.1.0 that is used. Its JavaScript is not: it loses output at exit. */
export interface NativeTerminal {
  open(columns: number, rows: number): OpenedTerminal;
  resize(descriptor: number, columns: number, rows: number): void;
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  /** Where the program lies that `fork` starts children with on macOS. */
  readonly helperPath: string;
}

/**
 * Loads the binary for this platform, on first use: only terminals need it. Throws a `ProcessError` of kind
 * `terminalUnavailable` that names the package to install.
 */
export function loadNativeTerminal(): NativeTerminal {
  const name = `@lydell/node-pty-${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const file = findBinary(name, require);
    const binding = require(file) as Omit<NativeTerminal, "helperPath">;
    const helperPath = join(dirname(file), "spawn-helper");
    return { open: binding.open, resize: binding.resize, fork: binding.fork, helperPath };
  } catch (cause) {
    throw new ProcessError(
      "terminalUnavailable",
      `a terminal needs the native part of node-pty, which cannot be loaded here: install ${name}@1.1.0 ` +
        "(an optional dependency: do not leave optional dependencies out) or put its pty.node beside this program, " +
        "or run the command without a terminal",
      { cause },
    );
  }
}

/** In the dependencies of node-pty, as a package of its own (beside the single file), or as the bare file beside this one. */
function findBinary(name: string, require: NodeJS.Require): string {
  const ways = [
    // Node 20 sometimes gives a link's own path here (seen after fstat of a pipe), whose neighbours are not node-pty's.
    () => createRequire(realpathSync(require.resolve("node-pty"))).resolve(`${name}/pty.node`),
    () => require.resolve(`${name}/pty.node`),
  ];
  for (const find of ways) {
    try {
      return find();
    } catch {
      // the next one
    }
  }
  return require.resolve("./pty.node");
}

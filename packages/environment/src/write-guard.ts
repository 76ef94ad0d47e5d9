import { closeSync, constants, existsSync, openSync, readlinkSync } from "node:fs";
import {
  type AbsolutePath,
  baseName,
  parentPath,
  type SandboxIntent,
  writeRules,
} from "@codex/protocol";
import { realEntry, realTarget } from "./real-path.ts";
import { localMachineFacts } from "./local-machine-facts.ts";
import { type ChangeKind, checkWritable, denial } from "./write-policy.ts";

/** Linux's `O_PATH`, which `node:fs` does not name: holds a directory without the right to read it. */
const openPathOnly = 0o10000000;

/** A path that may be changed, for as long as it is held. */
export interface GuardedPath extends Disposable {
  /** For `node:fs`. */
  readonly path: string;
  /** True when the parent is held open, so that nobody can exchange it for a link; the path itself must be opened with `O_NOFOLLOW`. */
  readonly isGuarded: boolean;
}

/** Allows one change at a path, or throws `sandboxDenied`. The change must follow at once. */
export type WriteGuard = (path: AbsolutePath, change: ChangeKind) => GuardedPath;

/** The guard of one call: all of `intents` must allow a change; an intent left out restricts nothing. */
export function createWriteGuard(
  intents: readonly (SandboxIntent | undefined)[],
  temporaryDirectory: AbsolutePath | undefined,
): WriteGuard {
  const machine = localMachineFacts(temporaryDirectory);
  const restrictions = intents.flatMap((intent) => (intent && writeRules(intent, machine)) ?? []);
  if (restrictions.length === 0)
    return (path) => ({ path, isGuarded: false, [Symbol.dispose]() {} });
  return (path, change) => {
    if (restrictions.some(({ writableRoots }) => writableRoots.length === 0))
      throw denial(path, "outside");
    const real = change === "content" ? realTarget(path) : realEntry(path);
    for (const rules of restrictions) {
      const reason = checkWritable(real, change, rules);
      if (reason !== undefined) throw denial(path, reason);
    }
    return holdParent(real, path);
  };
}

/** Opens the parent of the checked path and makes sure it still is that directory. Without `/proc` the checked path itself has to do. */
function holdParent(real: AbsolutePath, asked: AbsolutePath): GuardedPath {
  if (!existsSync("/proc/self/fd")) return { path: real, isGuarded: false, [Symbol.dispose]() {} };
  const parent = parentPath(real) ?? real;
  const descriptor = openSync(parent, openPathOnly | constants.O_DIRECTORY);
  const held = `/proc/self/fd/${descriptor}`;
  const release = { [Symbol.dispose]: () => closeSync(descriptor) };
  try {
    if (readlinkSync(held) !== parent) throw denial(asked, "outside");
    return { path: `${held}/${baseName(real)}`, isGuarded: true, ...release };
  } catch (error) {
    release[Symbol.dispose]();
    throw error;
  }
}

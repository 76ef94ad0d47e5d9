import { matchesGlob } from "./glob.ts";
import type { EnvironmentPolicy } from "./process.ts";

/** Names a process needs to find its way, and nothing else. */
const coreNames = new Set([
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "USERNAME",
  "TMPDIR",
  "TEMP",
  "TMP",
]);

const secretGlobs = ["*KEY*", "*SECRET*", "*TOKEN*"];

/**
 * The variables a process gets: inherited ones, less the excludes, then `set`, cut down to `includeOnly`, then the
 * overlay, which nothing filters.
 */
export function childEnvironment(
  policy: EnvironmentPolicy,
  base: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const excludes = [...(policy.ignoreDefaultExcludes ? [] : secretGlobs), ...policy.exclude];
  const inherited = Object.entries(base).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      isInherited(entry[0], policy.inherit) &&
      !matchesAny(entry[0], excludes),
  );
  const wanted = Object.entries({ ...Object.fromEntries(inherited), ...policy.set }).filter(
    ([name]) => policy.includeOnly.length === 0 || matchesAny(name, policy.includeOnly),
  );
  return { ...Object.fromEntries(wanted), ...policy.overlay };
}

function isInherited(name: string, inherit: EnvironmentPolicy["inherit"]): boolean {
  switch (inherit) {
    case "all":
      return true;
    case "core":
      return coreNames.has(name);
    case "none":
      return false;
  }
}

function matchesAny(name: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(name, glob));
}

import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Absolute path of `bwrap` on this PATH, or undefined. */
export function findBubblewrap(searchPath: string | undefined): string | undefined {
  for (const folder of (searchPath ?? "").split(":")) {
    const candidate = join(folder || ".", "bwrap");
    if (folder.startsWith("/") && isProgram(candidate)) return candidate;
  }
  return undefined;
}

/** One message for a machine that cannot sandbox: what is missing, how to get it, and the other way on. */
export function missingBubblewrapMessage(
  platform: string,
  osRelease: string = readOsRelease(),
): string {
  const needed = "the sandbox needs bubblewrap (`bwrap`), which";
  return platform === "linux"
    ? `${needed} is not on PATH. Install it: ${installCommand(osRelease)}. Or run ${withoutSandbox}`
    : `${needed} exists for Linux only. Run ${withoutSandbox}`;
}

const withoutSandbox =
  'without a sandbox: `-s danger-full-access`, or `sandbox_mode = "danger-full-access"` in config.toml.';

const installCommands: readonly (readonly [RegExp, string])[] = [
  [/debian|ubuntu/, "apt-get install bubblewrap"],
  [/fedora|rhel|centos/, "dnf install bubblewrap"],
  [/arch/, "pacman -S bubblewrap"],
  [/alpine/, "apk add bubblewrap"],
  [/suse/, "zypper install bubblewrap"],
];

function installCommand(osRelease: string): string {
  const family = [...osRelease.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)]
    .map((match) => match[1])
    .join(" ");
  return (
    installCommands.find(([pattern]) => pattern.test(family))?.[1] ??
    "the package is called bubblewrap"
  );
}

function readOsRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

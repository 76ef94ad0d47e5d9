import { type AbsolutePath, baseName, joinPath, parseAbsolutePath } from "@codex/protocol";

/** Shells whose command line (`-c`, `-lc`) is known to work, in the order they are looked for. */
const knownShells = ["bash", "zsh", "sh"] as const;

/** Looked in after the PATH. */
const usualPlaces = ["/bin", "/usr/bin", "/usr/local/bin"];

export interface ShellFacts {
  /** The shell in the user's account, if there is one. */
  readonly userShell: string | undefined;
  /** `$PATH`. */
  readonly path: string | undefined;
  readonly isProgram: (path: AbsolutePath) => boolean;
}

/** The shell commands run in: the user's own when it is bash, zsh or sh and is there; else the first of these found; at last `/bin/sh`. */
export function findLoginShell({ userShell, path, isProgram }: ShellFacts): {
  name: string;
  path: AbsolutePath;
} {
  const own = parseAbsolutePath(userShell ?? "");
  const ownName = knownShells.find((name) => own !== undefined && baseName(own) === name);
  if (own !== undefined && ownName !== undefined && isProgram(own))
    return { name: ownName, path: own };
  const places = [...(path ?? "").split(":"), ...usualPlaces].flatMap(
    (place) => parseAbsolutePath(place) ?? [],
  );
  for (const name of knownShells)
    for (const place of places) {
      const program = joinPath(place, name);
      if (isProgram(program)) return { name, path: program };
    }
  return { name: "sh", path: "/bin/sh" as AbsolutePath };
}

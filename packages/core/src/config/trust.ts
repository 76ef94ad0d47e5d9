import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isTable } from "./toml-table.ts";

export interface TrustDecision {
  /** The path it was made for, as found in `[projects]`. */
  readonly key: string;
  readonly isTrusted: boolean;
}

/** `[projects]` as a lookup: the first of the given paths that somebody decided on, by its spelling or its canonical form. */
export class TrustMap {
  readonly #decisions = new Map<string, TrustDecision>();

  constructor(projects: unknown) {
    if (!isTable(projects)) return;
    for (const [key, project] of Object.entries(projects)) {
      const level = isTable(project) ? project["trust_level"] : undefined;
      if (level !== "trusted" && level !== "untrusted") continue;
      this.#decisions.set(resolve("/", key), { key, isTrusted: level === "trusted" });
    }
  }

  decide(paths: ReadonlyArray<string | undefined>): TrustDecision | undefined {
    if (this.#decisions.size === 0) return undefined;
    for (const path of paths) {
      if (path === undefined) continue;
      const decision = this.#decisions.get(path) ?? this.#decisions.get(canonicalPath(path));
      if (decision !== undefined) return decision;
    }
    return undefined;
  }
}

/** The path without symbolic links, or as it is when it does not exist. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

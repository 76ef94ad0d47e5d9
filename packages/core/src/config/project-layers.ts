import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { ConfigLayer } from "./layers.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { readTomlFile } from "./toml-file.ts";
import { isTable, type TomlTable, valueAt } from "./toml-table.ts";

export interface ProjectLayersInput {
  readonly cwd: string;
  readonly codexHome: string;
  readonly homeDirectory: string;
  /** The layers below and beside the project's, merged: they decide on root markers and trust. */
  readonly base: TomlTable;
}

export interface ProjectLayers {
  /** Trusted files, the root's first. */
  readonly layers: readonly ConfigLayer[];
  /** Whether anybody has decided on trust for this project. */
  readonly hasTrustDecision: boolean;
  /** Files that are not read for want of trust, with the way to change that. */
  readonly warnings: readonly string[];
}

/** Reads `.codex/config.toml` from the project's root down to the working directory, as far as it is trusted. */
export async function readProjectLayers(input: ProjectLayersInput): Promise<ProjectLayers> {
  const directories = await projectDirectories(input.cwd, rootMarkers(input.base));
  const gitRoot = await primaryGitRoot(input.cwd);
  const root = directories[0] ?? input.cwd;
  const trust = new TrustMap(valueAt(input.base, ["projects"]));
  const found = await Promise.all(
    directories.map((directory) => readOne(directory, { input, trust, root, gitRoot })),
  );
  const decision = await trust.decide([input.cwd, root, gitRoot]);
  return {
    layers: found.flatMap((one) => one?.layer ?? []),
    hasTrustDecision: decision !== undefined,
    warnings: found.flatMap((one) => one?.warning ?? []),
  };
}

interface Surroundings {
  readonly input: ProjectLayersInput;
  readonly trust: TrustMap;
  readonly root: string;
  readonly gitRoot: string | undefined;
}

async function readOne(
  directory: string,
  { input, trust, root, gitRoot }: Surroundings,
): Promise<{ layer?: ConfigLayer; warning?: string } | undefined> {
  const folder = join(directory, ".codex");
  if (folder === input.codexHome || (await canonical(folder)) === input.codexHome) return undefined;
  const file = join(folder, "config.toml");
  const decision = await trust.decide([directory, root, gitRoot]);
  if (decision?.level !== "trusted") {
    if (!(await exists(file))) return undefined;
    const user = join(input.codexHome, "config.toml");
    return { warning: `${file} is ignored. ${untrustedReason(decision, gitRoot ?? root, user)}` };
  }
  const toml = await readTomlFile(file, {
    read: `Failed to read project config file ${file}: `,
    syntax: `Error parsing project config file ${file}:\n`,
  });
  if (toml === undefined) return undefined;
  const table = resolvePaths(toml.table, folder, input.homeDirectory);
  return { layer: { kind: "project", ...toml, table } };
}

function untrustedReason(decision: TrustDecision | undefined, key: string, user: string): string {
  if (decision === undefined)
    return `To load config.toml, add ${key} as a trusted project in ${user}.`;
  return `${decision.key} is marked as untrusted in ${user}. To load config.toml, mark it trusted.`;
}

function rootMarkers(base: TomlTable): readonly string[] {
  const markers = valueAt(base, ["project_root_markers"]);
  if (Array.isArray(markers) && markers.every((marker) => typeof marker === "string"))
    return markers;
  throw new ConfigError(
    "projectRootMarkers",
    "Error loading config.toml: project_root_markers must be an array of strings",
  );
}

/** From the nearest ancestor with a marker down to `cwd`; only `cwd` without one. */
async function projectDirectories(cwd: string, markers: readonly string[]): Promise<string[]> {
  const chain = ancestors(cwd);
  const hits = await Promise.all(
    chain.map(async (directory) => {
      const found = await Promise.all(markers.map((marker) => exists(join(directory, marker))));
      return found.includes(true);
    }),
  );
  const at = hits.indexOf(true);
  return at < 0 ? [cwd] : chain.slice(0, at + 1).toReversed();
}

/** The root of the main checkout, which a worktree's `.git` file points to. */
async function primaryGitRoot(cwd: string): Promise<string | undefined> {
  for (const directory of ancestors(cwd)) {
    const git = join(directory, ".git");
    const metadata = await stat(git).catch(() => undefined);
    if (metadata === undefined) continue;
    if (metadata.isDirectory()) return directory;
    const text = await readFile(git, "utf8").catch(() => "");
    const target = /^gitdir:\s*(.+)$/m.exec(text)?.[1]?.trim();
    const worktree =
      target === undefined
        ? null
        : /^(.*)\/\.git\/worktrees\/[^/]+\/?$/.exec(resolve(directory, target));
    return worktree?.[1] ?? directory;
  }
  return undefined;
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

interface TrustDecision {
  readonly key: string;
  readonly level: unknown;
}

/** `[projects]`, looked up by the path as spelled, then by its canonical form. */
class TrustMap {
  readonly #levels = new Map<string, unknown>();

  constructor(projects: unknown) {
    if (!isTable(projects)) return;
    for (const [path, project] of Object.entries(projects)) {
      const level = isTable(project) ? project["trust_level"] : undefined;
      if (level !== undefined) this.#levels.set(resolve("/", path), level);
    }
  }

  async decide(paths: ReadonlyArray<string | undefined>): Promise<TrustDecision | undefined> {
    if (this.#levels.size === 0) return undefined;
    for (const path of paths) {
      if (path === undefined) continue;
      for (const key of [path, await canonical(path)])
        if (this.#levels.has(key)) return { key, level: this.#levels.get(key) };
    }
    return undefined;
  }
}

async function canonical(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { valueError } from "./diagnostics.ts";
import { type ConfigLayer, type MergedLayers, originOf } from "./layers.ts";
import { primaryGitRoot, projectDirectories } from "./project-root.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { readTomlFile } from "./toml-file.ts";
import { valueAt } from "./toml-table.ts";
import { canonicalPath, type TrustDecision, TrustMap } from "./trust.ts";

export interface ProjectLayersInput {
  readonly cwd: string;
  readonly codexHome: string;
  readonly homeDirectory: string;
  /** The other layers, merged: they alone decide on root markers and trust. */
  readonly base: MergedLayers;
}

export interface ProjectLayers {
  /** Trusted files, the root's first. */
  readonly layers: readonly ConfigLayer[];
  /** Whether anybody has decided on trust for this project. */
  readonly hasTrustDecision: boolean;
  /** Files that are left out for want of trust, with the way to change that. */
  readonly warnings: readonly string[];
}

/** Reads `.codex/config.toml` from the project's root down to the working directory, as far as it is trusted. */
export function readProjectLayers(input: ProjectLayersInput): ProjectLayers {
  const { cwd, codexHome, base } = input;
  const directories = projectDirectories(cwd, rootMarkers(base));
  const root = directories[0] ?? cwd;
  const gitRoot = primaryGitRoot(cwd);
  const trust = new TrustMap(valueAt(base.table, ["projects"]));
  const layers: ConfigLayer[] = [];
  const warnings: string[] = [];
  for (const directory of directories) {
    const folder = join(directory, ".codex");
    const file = join(folder, "config.toml");
    if (!existsSync(file) || folder === codexHome || canonicalPath(folder) === codexHome) continue;
    const decision = trust.decide([directory, root, gitRoot]);
    if (decision?.isTrusted === true) layers.push(readLayer(folder, file, input.homeDirectory));
    else warnings.push(ignoredText(file, decision, { key: gitRoot ?? root, codexHome }));
  }
  const hasTrustDecision = trust.decide([cwd, root, gitRoot]) !== undefined;
  return { layers, hasTrustDecision, warnings };
}

function rootMarkers({ table, origins }: MergedLayers): readonly string[] {
  const path = ["project_root_markers"];
  const markers = valueAt(table, path);
  if (Array.isArray(markers) && markers.every((marker) => typeof marker === "string"))
    return markers;
  const text = "project_root_markers must be an array of strings";
  throw valueError("projectRootMarkers", text, { layer: originOf(origins, path), path });
}

function readLayer(folder: string, file: string, homeDirectory: string): ConfigLayer {
  const toml = readTomlFile(file, {
    read: `Failed to read project config file ${file}: `,
    syntax: `Error parsing project config file ${file}:\n`,
  });
  const table = resolvePaths(toml?.table ?? {}, folder, homeDirectory);
  return { kind: "project", file, source: toml?.source ?? "", table };
}

function ignoredText(
  file: string,
  decision: TrustDecision | undefined,
  { key, codexHome }: { key: string; codexHome: string },
): string {
  const user = join(codexHome, "config.toml");
  const way =
    decision === undefined
      ? `To load config.toml, add ${key} as a trusted project in ${user}.`
      : `${decision.key} is marked as untrusted in ${user}. To load config.toml, mark it trusted.`;
  return `${file} is ignored: ${way}`;
}

import { type FileMetadata, type FileSystem, isFileSystemError } from "@codex/environment";
import { type AbsolutePath, ancestorsOf, isInside, joinPath } from "@codex/protocol";

export interface DiscoverOptions {
  readonly fileSystem: FileSystem;
  readonly cwd: AbsolutePath;
  /** Entries that make a directory the project root, whatever they are; none: only `cwd` is searched. */
  readonly markers: readonly string[];
  /** Further names of a doc, tried after the two own ones. Blank names and doubles are dropped. */
  readonly fallbackFilenames: readonly string[];
  /** Nothing above this directory is looked at, when `cwd` lies in it. */
  readonly stopAt?: AbsolutePath | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundDoc {
  readonly path: AbsolutePath;
  /** As the file system told; undefined where it cannot tell. */
  readonly size: number | undefined;
}

export interface Discovery {
  /** From the project root down to `cwd`, at most one for each directory. */
  readonly docs: readonly FoundDoc[];
  /** Questions the file system could not answer, one line for each path. */
  readonly warnings: readonly string[];
}

const ownFilenames = ["AGENTS.override.md", "AGENTS.md"];

type Answer = FileMetadata | "absent" | { readonly reason: string };

interface Probe {
  readonly path: AbsolutePath;
  readonly answer: Answer;
}

interface DirectoryProbes {
  readonly markers: readonly Probe[];
  readonly candidates: readonly Probe[];
}

/**
 * Finds the project's docs. Every question that can arise is asked at once, so it takes one round trip whatever the
 * depth. A question that fails is a warning and counts as no; only a lost executor and an abort reject.
 */
export async function discoverProjectDocs(options: DiscoverOptions): Promise<Discovery> {
  const probed = await Promise.all(
    searchableDirectories(options).map((directory) => probeDirectory(directory, options)),
  );
  const warnings: string[] = [];
  const exists = (probe: Probe) => isThere(probe, warnings) !== undefined;
  const rootIndex = probed.findIndex(({ markers }) => markers.some(exists));
  const directories = probed.slice(0, rootIndex === -1 ? 1 : rootIndex + 1).toReversed();
  const docs = directories.flatMap(({ candidates }) => firstFile(candidates, warnings) ?? []);
  return { docs, warnings };
}

/** `cwd` first. */
function searchableDirectories({ cwd, markers, stopAt }: DiscoverOptions): AbsolutePath[] {
  if (markers.length === 0) return [cwd];
  const all = ancestorsOf(cwd);
  return stopAt !== undefined && isInside(cwd, stopAt)
    ? all.filter((directory) => isInside(directory, stopAt))
    : all;
}

async function probeDirectory(
  directory: AbsolutePath,
  options: DiscoverOptions,
): Promise<DirectoryProbes> {
  const probe = async (name: string): Promise<Probe> => {
    const path = joinPath(directory, `./${name}`);
    return { path, answer: await ask(path, options) };
  };
  const [markers, candidates] = await Promise.all([
    Promise.all(options.markers.map(probe)),
    Promise.all(candidateNames(options.fallbackFilenames).map(probe)),
  ]);
  return { markers, candidates };
}

function candidateNames(fallbackFilenames: readonly string[]): string[] {
  return [...new Set([...ownFilenames, ...fallbackFilenames])].filter((name) => name.trim() !== "");
}

async function ask(path: AbsolutePath, { fileSystem, signal }: DiscoverOptions): Promise<Answer> {
  try {
    return await fileSystem.getMetadata(path, signal === undefined ? {} : { signal });
  } catch (error) {
    if (!isFileSystemError(error) || error.kind === "lost") throw error;
    const isAbsent = error.kind === "notFound" || error.kind === "notDirectory";
    return isAbsent ? "absent" : { reason: error.message };
  }
}

function isThere({ path, answer }: Probe, warnings: string[]): FileMetadata | undefined {
  if (answer === "absent") return undefined;
  if (!("reason" in answer)) return answer;
  warnings.push(`Could not look for \`${path}\`: ${answer.reason}`);
  return undefined;
}

function firstFile(candidates: readonly Probe[], warnings: string[]): FoundDoc | undefined {
  for (const probe of candidates) {
    const metadata = isThere(probe, warnings);
    if (metadata?.isFile) return { path: probe.path, size: metadata.size };
  }
  return undefined;
}

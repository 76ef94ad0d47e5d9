import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRollout, type RecordedThread } from "./rollout-reader.ts";

/** A rollout on disk. */
export interface SessionFile {
  readonly path: string;
  readonly threadId: string;
  /** Milliseconds since 1970. */
  readonly modifiedAtMs: number;
}

/** How many files are looked at, newest first. */
const maxFiles = 10_000;

/** The rollouts below a home directory, last written first. A home without sessions has none. */
export function listSessionFiles(codexHome: string): SessionFile[] {
  const files: SessionFile[] = [];
  for (const path of rolloutPaths(join(codexHome, "sessions"))) {
    const threadId = /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path)?.[1];
    const stat = statSync(path, { throwIfNoEntry: false });
    if (threadId !== undefined && stat !== undefined)
      files.push({ path, threadId, modifiedAtMs: stat.mtimeMs });
  }
  return files.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs).slice(0, maxFiles);
}

/** The rollout of one thread, or undefined. */
export function findSessionFile(codexHome: string, threadId: string): SessionFile | undefined {
  return listSessionFiles(codexHome).find((file) => file.threadId === threadId.toLowerCase());
}

/** The thread last written to; `cwd` keeps to threads that began there. Files that cannot be read are passed over. */
export function findLastSession(
  codexHome: string,
  filter: { readonly cwd: string | undefined },
): SessionFile | undefined {
  return listSessionFiles(codexHome).find((file) => {
    const recorded = readSessionFile(file);
    return recorded !== undefined && (filter.cwd === undefined || recorded.cwd === filter.cwd);
  });
}

/** What the file says, or undefined when it says nothing that can be used. */
export function readSessionFile(file: Pick<SessionFile, "path">): RecordedThread | undefined {
  try {
    return readRollout(readFileSync(file.path, "utf8"));
  } catch {
    return undefined;
  }
}

function rolloutPaths(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter(
      (entry) =>
        entry.isFile() && entry.name.startsWith("rollout-") && entry.name.endsWith(".jsonl"),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

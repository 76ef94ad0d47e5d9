import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRollout, type RecordedThread } from "./rollout-reader.ts";
import { readSessionSummary } from "./session-summary.ts";
import type { ThreadFacts } from "./thread-facts.ts";

/** A rollout on disk. */
export interface SessionFile {
  readonly path: string;
  readonly threadId: string;
  /** Milliseconds since 1970. */
  readonly modifiedAtMs: number;
}

/** A rollout on disk and what it says about its thread. */
export interface RecordedSession {
  readonly file: SessionFile;
  readonly facts: ThreadFacts;
}

/** Keeps to threads whose last turn was like this; what is undefined is not asked. */
export interface SessionFilter {
  readonly workdir?: string | undefined;
  readonly environment?: string | undefined;
  readonly modelProvider?: string | undefined;
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
  return files.toSorted(lastWrittenFirst).slice(0, maxFiles);
}

/** The rollout of one thread, or undefined. */
export function findSessionFile(codexHome: string, threadId: string): SessionFile | undefined {
  return listSessionFiles(codexHome).find((file) => file.threadId === threadId.toLowerCase());
}

/** The threads that fit, last written first, each file read when it is its turn. Files that name no thread are passed over. */
export function* listSessions(
  codexHome: string,
  filter: SessionFilter,
): Generator<RecordedSession> {
  for (const file of listSessionFiles(codexHome)) {
    const facts = readSessionSummary(file.path);
    if (facts !== undefined && fits(facts, filter)) yield { file, facts };
  }
}

/** The first of {@link listSessions}. */
export function findLastSession(codexHome: string, filter: SessionFilter): SessionFile | undefined {
  for (const { file } of listSessions(codexHome, filter)) return file;
  return undefined;
}

/** Ids sort by time too: of two written in one millisecond the younger thread comes first. */
function lastWrittenFirst(a: SessionFile, b: SessionFile): number {
  return b.modifiedAtMs - a.modifiedAtMs || (a.threadId < b.threadId ? 1 : -1);
}

/** What the file says, or undefined when it says nothing that can be used. */
export function readSessionFile(file: Pick<SessionFile, "path">): RecordedThread | undefined {
  try {
    return readRollout(readFileSync(file.path, "utf8"));
  } catch {
    return undefined;
  }
}

function fits(facts: ThreadFacts, filter: SessionFilter): boolean {
  const { workdir, environment, modelProvider } = filter;
  return (
    (workdir === undefined || facts.workdir === workdir) &&
    (environment === undefined || facts.environment === environment) &&
    // A thread whose provider is not known is not left out.
    (modelProvider === undefined || (facts.modelProvider ?? modelProvider) === modelProvider)
  );
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

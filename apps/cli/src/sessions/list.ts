import { listSessions, type RecordedSession } from "@codex/core";
import { loadSettings } from "../config/load.ts";
import { oneLine } from "../exec/one-line.ts";
import type { ExecOptions } from "../exec/options.ts";
import { startFailure } from "../exec/start-failure.ts";
import { createStyle, usesColor } from "../exec/style.ts";
import { exitCode } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import type { ListOptions } from "./command.ts";
import { localTime, sessionJson } from "./session-facts.ts";

/** Prints the sessions on stdout; that there are none, or more, is said on stderr. */
export async function listSessionsOf(
  options: ExecOptions,
  { all = false, json = false, limit }: ListOptions,
  context: ProcessContext,
): Promise<number> {
  const { stdout, stderr, env } = context;
  try {
    const { config } = await loadSettings(options, context);
    const filter = all ? {} : { workdir: config.cwd };
    const { shown, hasMore } = firstOf(listSessions(config.codexHome, filter), limit);
    if (json)
      for (const session of shown) stdout.write(`${JSON.stringify(sessionJson(session))}\n`);
    else if (shown.length === 0) stderr.write(`${nothing(all, config.cwd)}\n`);
    else {
      const { bold } = createStyle(usesColor("auto", stdout.isTerminal, env));
      const columns = stdout.isTerminal ? stdout.columns() : Infinity;
      stdout.write(table(shown, { all, columns, bold }));
    }
    if (hasMore) stderr.write(`The last ${limit}; --limit shows more.\n`);
    return exitCode.completed;
  } catch (error) {
    const failure = startFailure(error);
    stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}

function firstOf(sessions: Iterable<RecordedSession>, limit: number) {
  const shown: RecordedSession[] = [];
  for (const session of sessions) {
    if (shown.length === limit) return { shown, hasMore: true };
    shown.push(session);
  }
  return { shown, hasMore: false };
}

function nothing(all: boolean, cwd: string): string {
  return all
    ? "There are no sessions."
    : `There are no sessions of ${cwd}; --all lists those of every directory.`;
}

interface TableForm {
  readonly all: boolean;
  readonly columns: number;
  readonly bold: (text: string) => string;
}

/** The longest prompt that is shown where no terminal sets a width. */
const maxPrompt = 100;

function table(sessions: readonly RecordedSession[], { all, columns, bold }: TableForm): string {
  const rows = sessions.map(({ file, facts }) => ({
    id: facts.id,
    used: localTime(file.modifiedAtMs),
    turns: String(facts.turns).padStart(5),
    place: all ? [placeOf(facts)] : [],
    prompt: facts.firstPrompt ?? "",
  }));
  const placeWidth = Math.max(
    "DIRECTORY".length,
    ...rows.flatMap(({ place: [text = ""] }) => text.length),
  );
  const head = ["ID".padEnd(36), "LAST USED".padEnd(16), "TURNS"];
  const title = [...head, ...(all ? ["DIRECTORY".padEnd(placeWidth)] : []), "FIRST PROMPT"].join(
    "  ",
  );
  const lines = rows.map(({ id, used, turns, place, prompt }) => {
    const before = [id, used, turns, ...place.map((text) => text.padEnd(placeWidth)), ""].join(
      "  ",
    );
    const width = Math.min(maxPrompt, Math.max(20, columns - before.length));
    return `${before}${oneLine(prompt, width)}`.trimEnd();
  });
  return [bold(title), ...lines, ""].join("\n");
}

function placeOf({ workdir, environment }: RecordedSession["facts"]): string {
  return oneLine(environment === "local" ? workdir : `${environment}:${workdir}`);
}

import { readFileSync } from "node:fs";
import {
  findSessionFile,
  readSessionSummary,
  type RecordedSession,
  type RecordedTurn,
  readTranscript,
} from "@codex/core";
import { blendedTokens } from "@codex/protocol";
import { loadSettings } from "../config/load.ts";
import { formatCount } from "../exec/figures.ts";
import { closingText, openingLine } from "../exec/human-item.ts";
import type { ExecOptions } from "../exec/options.ts";
import { printable } from "../exec/printable.ts";
import { startFailure } from "../exec/start-failure.ts";
import { createStyle, type Style, usesColor } from "../exec/style.ts";
import { exitCode } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import { StartError } from "../start-error.ts";
import { localTime, sessionJson, turnJson } from "./session-facts.ts";

/** Prints one session on stdout, as a person saw it or as one JSON object. */
export async function showSession(
  options: ExecOptions,
  { id, json }: { readonly id: string; readonly json: boolean },
  context: ProcessContext,
): Promise<number> {
  const { stdout, stderr, env } = context;
  try {
    const { config } = await loadSettings(options, context);
    const session = findSession(config.codexHome, id);
    const turns = readTranscript(readFileSync(session.file.path, "utf8"));
    const style = createStyle(usesColor("auto", stdout.isTerminal, env));
    if (json)
      stdout.write(`${JSON.stringify({ ...sessionJson(session), turns: turns.map(turnJson) })}\n`);
    else stdout.write(`${[header(session, style), ...turns.map(turnText(style))].join("\n\n")}\n`);
    return exitCode.completed;
  } catch (error) {
    const failure = startFailure(error);
    stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}

function findSession(codexHome: string, id: string): RecordedSession {
  const file = findSessionFile(codexHome, id);
  if (file === undefined)
    throw new StartError(
      `No session found with the id ${id}. \`codex sessions list --all\` shows what there is.`,
    );
  const facts = readSessionSummary(file.path);
  if (facts === undefined) throw new StartError(`The session in ${file.path} cannot be read.`);
  return { file, facts };
}

function header({ file, facts }: RecordedSession, { bold }: Style): string {
  const { environment, model = "unknown", modelProvider = "unknown" } = facts;
  const lines = {
    "session id": facts.id,
    workdir: facts.workdir,
    ...(environment === "local" ? {} : { environment }),
    model: `${model} (${modelProvider})`,
    started: localTime(Date.parse(facts.startedAt)),
    "last used": localTime(file.modifiedAtMs),
    "tokens used": formatCount(blendedTokens(facts.usage)),
    file: file.path,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${bold(`${name}:`)} ${printable(value)}`)
    .join("\n");
}

function turnText(style: Style): (turn: RecordedTurn) => string {
  return ({ prompt, items, status, error }) => {
    const said = items.flatMap((item) => {
      const text = [openingLine(item, style), closingText(item, "", style)];
      return text.filter((part) => part !== undefined);
    });
    const end =
      status === "unfinished"
        ? [style.yellow("the run ended here without a word, or still goes on")]
        : status === "failed"
          ? [`${style.red("error:")} ${printable(error ?? "")}`]
          : [];
    return [`${style.bold("user")}\n${printable(prompt)}`, ...said, ...end].join("\n");
  };
}

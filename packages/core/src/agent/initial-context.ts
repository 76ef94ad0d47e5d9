import {
  isMessage,
  type MessageItem,
  messageText,
  type ResponseItem,
  textMessage,
} from "@codex/protocol";
import type { EnvironmentInfo } from "@codex/environment";
import type { Config } from "../config/config.ts";
import { agentsFragment, agentsTitle, userInstructions } from "../project-doc/user-instructions.ts";
import { environmentContext } from "./environment-context.ts";
import { permissionsText } from "./permissions-text.ts";

export interface InitialContextOptions {
  readonly config: Config;
  readonly info: EnvironmentInfo;
  /** The project's docs, read through the environment before this is built. */
  readonly projectDocs: string | undefined;
  readonly currentDate: string;
  readonly timezone: string;
}

/** What the model knows before the person's first words: a developer message, then AGENTS.md and the environment. */
export function initialContext(options: InitialContextOptions): MessageItem[] {
  const { config, info, projectDocs, currentDate, timezone } = options;
  const instructions = userInstructions(config.userInstructions, projectDocs);
  const agents =
    instructions && agentsFragment(projectDocs === undefined ? undefined : info.cwd, instructions);
  return [
    textMessage(
      "developer",
      permissionsText(config.sandbox, info.cwd),
      ...(config.developerInstructions ? [config.developerInstructions] : []),
    ),
    textMessage(
      "user",
      ...(agents ? [agents] : []),
      environmentContext({ info, sandbox: config.sandbox, currentDate, timezone }),
    ),
  ];
}

/** What a resumed conversation has to be told anew: settings and surroundings that are not what it was told before. */
export function changedContext(
  first: readonly MessageItem[],
  recorded: readonly ResponseItem[],
): MessageItem[] {
  const told = lastTold(recorded);
  return first.flatMap((message) => {
    const news = message.content.filter(
      ({ text = "" }) => told.get(kindOf(text)) !== text && !text.startsWith(agentsTitle),
    );
    return news.length === 0 ? [] : [{ ...message, content: news }];
  });
}

/** The last text of each kind: settings that were changed and changed back are news again. */
function lastTold(recorded: readonly ResponseItem[]): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  for (const item of recorded) {
    if (!isMessage(item) || item.role === "assistant") continue;
    for (const { text = "" } of item.content) told.set(kindOf(text), text);
  }
  return told;
}

/** The tag a text begins with; a text without one is a kind of its own. */
function kindOf(text: string): string {
  return /^<[a-z_ ]+>/.exec(text)?.[0] ?? text;
}

/** The part of a recorded conversation that a summary leaves as it is: everything up to the environment context. */
export function recordedContext(recorded: readonly ResponseItem[]): readonly ResponseItem[] {
  const last = recorded.findIndex(
    (item) => isMessage(item) && messageText(item).includes("<environment_context>"),
  );
  return recorded.slice(0, last + 1);
}

import { type MessageItem, textMessage } from "@codex/protocol";
import type { EnvironmentInfo } from "@codex/environment";
import type { Config } from "../config/config.ts";
import { agentsFragment, userInstructions } from "../project-doc/user-instructions.ts";
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

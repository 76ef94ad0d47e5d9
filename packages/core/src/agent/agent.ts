import type { Environment } from "@codex/environment";
import type { ThreadEvent } from "@codex/protocol";
import type { Config } from "../config/config.ts";
import type { ModelClient } from "../model/model-client.ts";
import { newThreadId } from "../thread/thread-id.ts";
import type { Tool } from "../tools/tool.ts";
import { openSession, type ResumedThread } from "./open-session.ts";
import { createThread, type Thread } from "./thread.ts";

export interface AgentOptions {
  readonly config: Config;
  /** Where commands run and files lie. Stays the caller's: dispose it after the agent's threads. */
  readonly environment: Environment;
  readonly model: ModelClient;
  /** Own tools, offered after the built-in ones; a name that is taken replaces the built-in tool. */
  readonly tools?: readonly Tool[];
  /** Told every event of every thread, before the reader of the turn is. Must not throw. */
  readonly onEvent?: (event: ThreadEvent) => void;
  /** Keep nothing on disk (default false: a rollout file per thread under the home directory of the configuration). */
  readonly isEphemeral?: boolean;
  /** Ids of terminal sessions: `random` (default), or `counting` from 1000, for a replayed model. */
  readonly sessionIds?: "random" | "counting";
  /** Name and version of the program, written to the rollout. */
  readonly originator?: string;
  readonly version?: string;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
  /** 0..1, for jitter and ids; for tests. */
  readonly random?: () => number;
  /** Today's date, `YYYY-MM-DD`, and the IANA name of the zone it holds in; default the process's, by `Intl`. */
  readonly today?: () => { readonly currentDate: string; readonly timezone: string };
}

/** Starts threads that share a configuration, a model and an environment. Two agents do not see each other. */
export interface Agent {
  /** A new thread; nothing happens before its first turn. */
  startThread(): Thread;
  /** Takes a recorded thread up again: same id, same file, its conversation first. Settings are those of this agent, not the recorded ones. */
  resumeThread(resumed: ResumedThread): Thread;
}

/** An agent from its three parts: what it was told, where it works, and who thinks for it. Does no work itself. */
export function createAgent(options: AgentOptions): Agent {
  const thread = (id: string, resumed?: ResumedThread): Thread =>
    createThread({
      id,
      open: (emit, signal) => openSession({ ...options, threadId: id, resumed, emit, signal }),
      onEvent: options.onEvent,
    });
  return {
    startThread: () => thread(newThreadId(options.now?.())),
    resumeThread: (resumed) => thread(resumed.recorded.id, resumed),
  };
}

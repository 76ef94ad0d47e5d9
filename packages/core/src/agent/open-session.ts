import type { ThreadEvent } from "@codex/protocol";
import type { AgentOptions } from "./agent.ts";
import type { Session } from "./session.ts";

export interface OpenSessionOptions extends AgentOptions {
  readonly threadId: string;
  readonly emit: (event: ThreadEvent) => void;
  readonly signal: AbortSignal;
}

export async function openSession(_options: OpenSessionOptions): Promise<Session> {
  throw new Error("not yet");
}

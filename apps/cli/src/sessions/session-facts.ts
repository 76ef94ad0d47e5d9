import type { RecordedSession, RecordedTurn } from "@codex/core";

/** What programs are told of a session. */
export function sessionJson({ file, facts }: RecordedSession) {
  return {
    id: facts.id,
    workdir: facts.workdir,
    environment: facts.environment,
    model: facts.model ?? null,
    model_provider: facts.modelProvider ?? null,
    started_at: facts.startedAt,
    last_used_at: new Date(file.modifiedAtMs).toISOString(),
    turn_count: facts.turns,
    usage: facts.usage,
    first_prompt: facts.firstPrompt ?? null,
    last_message: facts.lastMessage ?? null,
    path: file.path,
  };
}

/** What programs are told of one of its turns. */
export function turnJson({ startedAt, prompt, status, error, usage, items }: RecordedTurn) {
  return { started_at: startedAt, prompt, status, error: error ?? null, usage, items };
}

/** `YYYY-MM-DD HH:MM`, here. */
export function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

import type { RecordedSession } from "@codex/core";

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

/** `YYYY-MM-DD HH:MM`, here. */
export function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

import type { ResponseItem } from "@codex/protocol";
import type { ModelProvider } from "../../config/config.ts";
import type { Prompt } from "../model-client.ts";
import type { ModelInfo } from "../models.ts";

/** What a run may set beside the model's own habits; undefined leaves them. */
export interface ModelSettings {
  readonly effort?: string | undefined;
  /** `none`: no summary is asked for. */
  readonly summary?: string | undefined;
  readonly verbosity?: string | undefined;
}

export interface RequestParts {
  readonly form: ModelProvider["requestForm"];
  readonly model: ModelInfo;
  readonly settings: ModelSettings;
}

/**
 * The body of `POST /responses`, keys in the order they are sent. The same prompt gives the same bytes, and a longer
 * history a body whose `input` starts with the shorter one's, so that a server can use its cache.
 *
 * Form `developerItem`: the base instructions are the first input item, items carry their ids, the request names its
 * thread. Form `instructions`: they have a key of their own, and items go without ids, which servers that keep nothing
 * may refuse.
 */
export function requestBody(prompt: Prompt, parts: RequestParts): Record<string, unknown> {
  const { form, model, settings } = parts;
  const reasoning = reasoningOf(model, settings);
  const text = textOf(prompt.outputSchema, settings.verbosity ?? model.verbosity);
  return {
    model: model.name,
    ...(form === "instructions" ? { instructions: prompt.instructions } : {}),
    input: form === "instructions" ? prompt.input.map(withoutId) : withBaseInstructions(prompt),
    tools: prompt.tools,
    tool_choice: "auto",
    parallel_tool_calls: model.supportsParallelToolCalls,
    ...(reasoning === undefined ? {} : { reasoning }),
    store: false,
    stream: true,
    include: reasoning === undefined ? [] : ["reasoning.encrypted_content"],
    prompt_cache_key: prompt.threadId,
    ...(text === undefined ? {} : { text }),
    ...(form === "developerItem" ? { client_metadata: { thread_id: prompt.threadId } } : {}),
  };
}

function withBaseInstructions(prompt: Prompt): readonly unknown[] {
  const first = {
    type: "message",
    id: `msg_${prompt.threadId}`,
    role: "developer",
    content: [{ type: "input_text", text: prompt.instructions }],
  };
  return [first, ...prompt.input];
}

function withoutId(item: ResponseItem): unknown {
  const { id: _, ...rest } = item;
  return rest;
}

function reasoningOf(model: ModelInfo, settings: ModelSettings): object | undefined {
  const effort = settings.effort ?? model.reasoning.effort;
  const summary = settings.summary ?? model.reasoning.summary;
  const reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined || summary === "none" ? {} : { summary }),
  };
  return Object.keys(reasoning).length === 0 ? undefined : reasoning;
}

function textOf(schema: unknown, verbosity: string | undefined): object | undefined {
  if (schema === undefined && verbosity === undefined) return undefined;
  return {
    ...(verbosity === undefined ? {} : { verbosity }),
    ...(schema === undefined
      ? {}
      : { format: { type: "json_schema", strict: true, schema, name: "codex_output_schema" } }),
  };
}

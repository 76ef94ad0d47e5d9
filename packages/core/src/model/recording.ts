import type { WireEvent } from "./conversation-entry.ts";
import { conversationVersion } from "./conversation-file.ts";
import type { ModelClient, ModelEvent } from "./model-client.ts";

export interface RecordingOptions {
  /** Told one line of a conversation file, 0x0A included, for every completed response; awaited before it ends. */
  readonly write: (line: string) => void | Promise<void>;
  /** Keep the input of each request in the file (default false: it holds what was read and typed). */
  readonly keepRequests?: boolean;
}

/**
 * The same model, with every completed response written down so that `createReplayClient` can play it. An attempt that
 * failed leaves no line. What is written are the model's words: look through them before you pass a file on.
 */
export function recordConversation(client: ModelClient, options: RecordingOptions): ModelClient {
  return {
    async *stream(prompt, signal) {
      const events: WireEvent[] = [];
      for await (const event of client.stream(prompt, signal)) {
        events.push(wireEventOf(event));
        if (event.type === "completed") {
          const request = options.keepRequests === true ? { request: { input: prompt.input } } : {};
          await options.write(
            `${JSON.stringify({ v: conversationVersion, ...request, events })}\n`,
          );
        }
        yield event;
      }
    },
  };
}

/** The event of the Responses API that reads as this one. */
function wireEventOf(event: ModelEvent): WireEvent {
  switch (event.type) {
    case "created":
      return { type: "response.created" };
    case "item.added":
      return { type: "response.output_item.added", item: event.item };
    case "item.done":
      return { type: "response.output_item.done", item: event.item };
    case "text.delta":
      return { type: "response.output_text.delta", delta: event.delta };
    case "reasoning.delta":
      return { type: "response.reasoning_summary_text.delta", delta: event.delta };
    case "completed":
      return { type: "response.completed", response: completedResponse(event) };
  }
}

function completedResponse(event: Extract<ModelEvent, { type: "completed" }>): WireEvent {
  const { responseId, usage, totalTokens } = event;
  return {
    ...(responseId === undefined ? {} : { id: responseId }),
    ...(usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: usage.input_tokens,
            input_tokens_details: {
              cached_tokens: usage.cached_input_tokens,
              cache_write_tokens: usage.cache_write_input_tokens,
            },
            output_tokens: usage.output_tokens,
            output_tokens_details: { reasoning_tokens: usage.reasoning_output_tokens },
            ...(totalTokens === undefined ? {} : { total_tokens: totalTokens }),
          },
        }),
  };
}

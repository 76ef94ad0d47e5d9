import * as z from "zod";
import { Entry, expandEntries, type WireEvent } from "./conversation-entry.ts";
import { ModelError } from "./model-client.ts";

/** The version this runtime writes, and the only one it reads. */
export const conversationVersion = 1;

/** One request of a run and what the model answered. */
export interface Exchange {
  /** `FILE:LINE`, for messages. */
  readonly place: string;
  /** Events of the Responses API, short forms expanded, `{{name}}` still in place. */
  readonly events: readonly WireEvent[];
  /** Values to take from the request that is answered: name to expression, group 1 of its last match. */
  readonly captures: ReadonlyMap<string, RegExp>;
}

/**
 * Reads a conversation: JSON lines `{"v":1, "request"?, "events", "capture"?}`, one for each exchange, ended by 0x0A;
 * blank lines are skipped. `events` holds events of the Responses API or the short forms `{"message": TEXT}`,
 * `{"reasoning": TEXT}`, `{"function_call": {name, arguments, call_id?}}`, `{"custom_tool_call": {name, input,
 * call_id?}}` and `{"usage": {...}}`; without an event that ends the response, `response.completed` is added. `request`
 * is for readers and ignored.
 *
 * Throws a {@link ModelError} of kind `replay` that names file and line.
 */
export function parseConversation(text: string, file: string): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() !== "")
      exchanges.push(parseLine(line, `${file}:${index + 1}`, exchanges.length));
  }
  if (exchanges.length === 0) throw replayError(`${file}: there is no exchange in it`);
  return exchanges;
}

export function replayError(message: string): ModelError {
  return new ModelError("replay", message, { isRetryable: false, phase: "request" });
}

const Version = z.looseObject({ v: z.number() });

const Expression = z.string().transform((source, context) => {
  try {
    return new RegExp(source, "g");
  } catch {
    context.addIssue({ code: "custom", message: `no regular expression: ${source}` });
    return z.NEVER;
  }
});

const Line = z.strictObject({
  v: z.literal(conversationVersion),
  request: z.unknown().optional(),
  events: z.array(Entry),
  capture: z.record(z.string().regex(/^\w+$/), Expression).optional(),
});

function parseLine(line: string, place: string, number: number): Exchange {
  const value = jsonOf(line, place);
  const version = Version.safeParse(value);
  if (version.success && version.data.v !== conversationVersion) {
    throw replayError(
      `${place}: version ${version.data.v} of the format is not known here (known: ${conversationVersion})`,
    );
  }
  const parsed = Line.safeParse(value);
  if (!parsed.success) throw replayError(`${place}: ${reasonsOf(parsed.error)}`);
  const { events, capture = {} } = parsed.data;
  return {
    place,
    events: expandEntries(events, number),
    captures: new Map(Object.entries(capture)),
  };
}

function jsonOf(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw replayError(`${place}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function reasonsOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}

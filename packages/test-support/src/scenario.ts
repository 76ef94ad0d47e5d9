/** One thing a scripted turn does, in order. The names are the scenario file's. */
export type ScenarioItem =
  | { readonly message: string }
  | {
      readonly function_call: {
        readonly name: string;
        readonly call_id?: string;
        readonly namespace?: string;
        /** Text is sent as it is, so that it may be broken; anything else is stringified. */
        readonly arguments?: unknown;
      };
    }
  | { readonly custom_tool_call: { readonly name: string; readonly input: string } }
  | { readonly reasoning: string }
  /** Any server-sent event. */
  | { readonly event: { readonly type: string; readonly [key: string]: unknown } }
  /** Bytes on the stream as they are. */
  | { readonly raw: string }
  /** Counts of the closing `response.completed`. */
  | { readonly usage: Readonly<Record<string, unknown>> }
  /** Ends the turn with `response.failed`. */
  | { readonly error: { readonly code: string; readonly message: string } }
  /** Ends the turn with `response.incomplete`. */
  | { readonly incomplete: string }
  | { readonly delay_ms: number }
  /** A comment line every so many milliseconds from here on. */
  | { readonly ping_ms: number }
  /** Closes the socket, once what was said before is out; alone in a turn, before any answer. */
  | { readonly close: true }
  /** Ends the stream cleanly without `response.completed`. */
  | { readonly end: true }
  /** Keeps the stream open for ever. */
  | { readonly hang: true }
  /** First item only: a plain HTTP answer. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** First item only: headers of the stream. */
  | { readonly response_headers: Readonly<Record<string, string>> };

export type ScenarioTurn = readonly ScenarioItem[];

type WrittenTurn = ScenarioTurn | { readonly repeat: number; readonly items: ScenarioTurn };

/** What the model does: a list of turns, one for each request. */
export type Scenario =
  | readonly WrittenTurn[]
  | {
      readonly turns: readonly WrittenTurn[];
      /** What requests past the last turn get; `last` (the default) repeats it. */
      readonly then?: "last" | "loop" | "error";
      /** Variable name to expression: group 1 of its last match in the request's text. */
      readonly capture?: Readonly<Record<string, string>>;
    };

/**
 * The turn a request gets, `{{n}}`, captured and given variables filled in; undefined when the scenario is used up.
 * `n` counts from 0.
 */
export function turnFor(
  scenario: Scenario,
  request: { readonly n: number; readonly text: string },
  variables: Readonly<Record<string, string>>,
): ScenarioTurn | undefined {
  const {
    turns,
    then = "last",
    capture = {},
  } = isTurnList(scenario) ? { turns: scenario } : scenario;
  const played = turns.flatMap((turn) =>
    isRepeated(turn) ? Array.from({ length: turn.repeat }, () => turn.items) : [turn],
  );
  const { n, text } = request;
  if (n >= played.length && then === "error") return undefined;
  const turn = played[then === "loop" ? n % played.length : Math.min(n, played.length - 1)] ?? [];
  return fill(turn, { ...variables, ...captured(capture, text), n: String(n) });
}

function isTurnList(scenario: Scenario): scenario is readonly WrittenTurn[] {
  return Array.isArray(scenario);
}

function isRepeated(
  turn: WrittenTurn,
): turn is { readonly repeat: number; readonly items: ScenarioTurn } {
  return !Array.isArray(turn);
}

function captured(capture: Readonly<Record<string, string>>, text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, expression] of Object.entries(capture)) {
    const value = [...text.matchAll(new RegExp(expression, "g"))].at(-1)?.[1];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** A copy with every `{{name}}` in every string replaced; a name nobody knows stays. */
function fill<T>(value: T, variables: Readonly<Record<string, string>>): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === "string"
      ? part.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole)
      : part,
  );
}

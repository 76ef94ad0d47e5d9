import type * as z from "zod";

/** A method that wants an answer, as one value: client calls, server routes, documents and types come from it. */
export interface RequestDefinition<
  Params extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  readonly kind: "request";
  readonly method: string;
  readonly params: Params;
  readonly result: Result;
}

/** A method that wants no answer. */
export interface NotificationDefinition<Params extends z.ZodType = z.ZodType> {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Params;
}

export type ParamsOf<Definition extends { readonly params: z.ZodType }> = z.infer<
  Definition["params"]
>;
export type ResultOf<Definition extends { readonly result: z.ZodType }> = z.infer<
  Definition["result"]
>;

export function defineRequest<Params extends z.ZodType, Result extends z.ZodType>(
  method: string,
  params: Params,
  result: Result,
): RequestDefinition<Params, Result> {
  return { kind: "request", method, params, result };
}

export function defineNotification<Params extends z.ZodType>(
  method: string,
  params: Params,
): NotificationDefinition<Params> {
  return { kind: "notification", method, params };
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/** Checks a value from the wire. On failure `message` names the first field that is missing or wrong, never its content. */
export function checkAgainst<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Checked<z.infer<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, message: issue === undefined ? "invalid value" : describe(issue, value) };
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  const name = issue.path.map(String).join(".");
  if (name === "") return issue.message;
  if (valueAt(value, issue.path) === undefined) return `missing field \`${name}\``;
  return `invalid field \`${name}\`: ${issue.message}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

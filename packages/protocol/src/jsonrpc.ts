import * as z from "zod";

/** Integers must be exact in a double: an id of 2^53 or more is refused as malformed, never rounded. */
export const RequestId = z.union([z.int(), z.string()]);
export type RequestId = z.infer<typeof RequestId>;

/** Codes that cross the wire; the first four are JSON-RPC's own. */
export const ErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** A path that is not there. Not in v0, which says `internalError`. */
  notFound: -32004,
  /** The session to resume is in use by another connection; try again. Not in v0. */
  sessionAttached: -32010,
} as const;

/** What an error answer says; `data` only when there is some. */
export const ErrorObject = z.object({
  code: z.int(),
  message: z.string(),
  data: z.unknown().optional(),
});
export type ErrorObject = z.infer<typeof ErrorObject>;

const Request = z.object({ id: RequestId, method: z.string(), params: z.unknown().optional() });
const Notification = z.object({ method: z.string(), params: z.unknown().optional() });
const Response = z.object({ id: RequestId, result: z.unknown() });
const ErrorResponse = z.object({ id: RequestId, error: ErrorObject });

export type JsonRpcRequest = z.infer<typeof Request>;
export type JsonRpcNotification = z.infer<typeof Notification>;
export type JsonRpcResponse = z.infer<typeof Response>;
export type JsonRpcError = z.infer<typeof ErrorResponse>;

/** JSON-RPC without the version field; unknown fields are ignored on the way in, batches do not exist. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse | JsonRpcError;

/** One message out of a parsed JSON value, or undefined when it is none. */
export function parseMessage(value: unknown): JsonRpcMessage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const schema = schemaFor(value);
  const parsed = schema?.safeParse(value);
  return parsed?.success ? parsed.data : undefined;
}

export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return "method" in message && "id" in message;
}

export function isNotification(message: JsonRpcMessage): message is JsonRpcNotification {
  return "method" in message && !("id" in message);
}

export function isErrorResponse(message: JsonRpcMessage): message is JsonRpcError {
  return "error" in message;
}

function schemaFor(value: object): z.ZodType<JsonRpcMessage> | undefined {
  if (Object.hasOwn(value, "method")) return Object.hasOwn(value, "id") ? Request : Notification;
  if (Object.hasOwn(value, "error")) return ErrorResponse;
  return Object.hasOwn(value, "result") ? Response : undefined;
}

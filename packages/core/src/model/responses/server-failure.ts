import * as z from "zod";
import { ModelError, type ModelErrorKind } from "../model-client.ts";
import { retryAfterWords } from "./retry-after.ts";

const Text = z.string().nullish().catch(undefined);

/** What a server says went wrong, wherever it says so: `response.failed`, an `error` event, a body. */
export const ServerFailure = z
  .object({ code: Text, type: Text, message: Text, param: Text })
  .transform(({ code, type, message, param }) => ({
    // Some failures are named by `code`, some only by `type`.
    codes: [code, type].filter((name) => typeof name === "string"),
    message: message ?? undefined,
    param: param ?? undefined,
  }));
export type ServerFailure = z.infer<typeof ServerFailure>;

type NamedKind = Extract<
  ModelErrorKind,
  "contextWindow" | "quota" | "invalidRequest" | "overloaded" | "rateLimited" | "invalidImage"
>;

const kinds: Readonly<Record<string, NamedKind>> = {
  context_length_exceeded: "contextWindow",
  insufficient_quota: "quota",
  usage_limit_reached: "quota",
  usage_not_included: "quota",
  invalid_prompt: "invalidRequest",
  cyber_policy: "invalidRequest",
  server_is_overloaded: "overloaded",
  rate_limit_exceeded: "rateLimited",
  slow_down: "rateLimited",
  invalid_image: "invalidImage",
  invalid_image_format: "invalidImage",
  invalid_image_mode: "invalidImage",
  invalid_image_url: "invalidImage",
  invalid_base64_image: "invalidImage",
  image_parse_error: "invalidImage",
  image_too_large: "invalidImage",
  image_too_small: "invalidImage",
  image_file_too_large: "invalidImage",
  image_content_policy_violation: "invalidImage",
  unsupported_image_media_type: "invalidImage",
  empty_image_file: "invalidImage",
  failed_to_download_image: "invalidImage",
  image_file_not_found: "invalidImage",
};

/** The kind a failure's own code gives it; undefined: the code says nothing to us. */
export function namedKind(failure: ServerFailure): NamedKind | undefined {
  for (const code of failure.codes) {
    if (Object.hasOwn(kinds, code)) return kinds[code];
  }
  return failure.param?.includes("image_url") === true ? "invalidImage" : undefined;
}

/** The error of an answer that said itself, after it had begun, that it failed. */
export function failedResponse(failure: ServerFailure): ModelError {
  const kind = namedKind(failure);
  const { message = "no reason given" } = failure;
  if (kind === undefined || kind === "rateLimited") {
    const text =
      kind === undefined
        ? `stream disconnected before completion: ${message}`
        : `rate limit exceeded: ${message}`;
    const retryAfterMs = retryAfterWords(message);
    return new ModelError(kind ?? "failed", text, {
      isRetryable: true,
      phase: "stream",
      retryAfterMs,
    });
  }
  return new ModelError(kind, finalMessage(kind, failure), { isRetryable: false, phase: "stream" });
}

/** What a person is told of a failure that another attempt will not mend. */
export function finalMessage(
  kind: Exclude<NamedKind, "rateLimited">,
  failure: ServerFailure,
): string {
  switch (kind) {
    case "contextWindow":
      return "Codex ran out of room in the model's context window. Start a new session, or give it a smaller task.";
    case "quota":
      return failure.codes.includes("insufficient_quota")
        ? "Quota exceeded. Check your plan and billing details."
        : (failure.message ?? "The usage limit of this account has been reached.");
    case "overloaded":
      return "Selected model is at capacity. Please try a different model.";
    case "invalidRequest":
      return failure.message ?? "Invalid request.";
    case "invalidImage":
      return failure.message ?? "The server could not use an image of the request.";
  }
}

import type { ModelProvider } from "../../config/config.ts";
import type { Prompt } from "../model-client.ts";
import type { ModelInfo } from "../models.ts";
import type { Variables } from "../providers.ts";
import { requestHeaders } from "./headers.ts";
import { type ModelSettings, requestBody } from "./request.ts";
import { requestUrl } from "./request-url.ts";

/** What the requests of a run have in common. */
export interface RequestSettings {
  readonly provider: ModelProvider;
  readonly model: ModelInfo;
  readonly settings: ModelSettings;
  /** Where header values are looked up, at every request. */
  readonly variables: Variables;
  /** Value of the `user-agent` header: name and version of the program. */
  readonly userAgent: string;
  /** Value of the `originator` header: what kind of program asks. */
  readonly originator: string;
}

/** A `POST` as it goes out: the bytes of the body are `JSON.stringify(body)`. */
export interface OutgoingRequest {
  readonly url: URL;
  /** Names in lower case; without `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The request that asks for the next response. Pure. Throws a `ModelError` when the provider has no usable address. */
export function outgoingRequest(
  prompt: Prompt,
  request: RequestSettings,
  apiKey: string | undefined,
): OutgoingRequest {
  const { provider, model, settings } = request;
  return {
    url: requestUrl(provider),
    headers: requestHeaders({ ...request, apiKey, threadId: prompt.threadId }),
    body: requestBody(prompt, { form: provider.requestForm, model, settings }),
  };
}

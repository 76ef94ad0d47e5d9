import type { ModelProvider } from "../../config/config.ts";
import { ModelError } from "../model-client.ts";

/**
 * Where a provider's requests go: `base_url` plus `/responses` plus the query parameters. Throws a {@link ModelError}
 * of kind `invalidRequest` when `base_url` is no http or https address.
 */
export function requestUrl(provider: Pick<ModelProvider, "id" | "baseUrl" | "queryParams">): URL {
  const url = URL.canParse(provider.baseUrl) ? new URL(provider.baseUrl) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ModelError(
      "invalidRequest",
      `the base_url of model provider \`${provider.id}\` is no http or https address: ${provider.baseUrl}`,
      { isRetryable: false, phase: "request" },
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/responses`;
  for (const [name, value] of Object.entries(provider.queryParams))
    url.searchParams.set(name, value);
  return url;
}

/** The address for a message: keys are written into query strings and user names, so neither is shown. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

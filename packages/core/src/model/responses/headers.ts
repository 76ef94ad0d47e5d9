import type { ModelProvider } from "../../config/config.ts";
import { nonBlank, type Variables } from "../providers.ts";

export interface HeaderParts {
  readonly provider: ModelProvider;
  readonly variables: Variables;
  readonly apiKey: string | undefined;
  readonly originator: string;
  readonly userAgent: string;
  readonly threadId: string;
}

/**
 * The headers of one request, names in lower case. The provider's own win over ours, and those from variables over
 * those written down; a name or value HTTP has no place for, and a variable that is unset or blank, is left out.
 */
export function requestHeaders(parts: HeaderParts): Record<string, string> {
  const { provider, apiKey, threadId } = parts;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "text/event-stream",
    "accept-encoding": "gzip",
    originator: parts.originator,
    "user-agent": parts.userAgent,
    "session-id": threadId,
    "thread-id": threadId,
    "x-client-request-id": threadId,
  };
  if (apiKey !== undefined) headers["authorization"] = `Bearer ${apiKey}`;
  for (const [name, value] of Object.entries(provider.httpHeaders)) set(headers, name, value);
  for (const [name, variable] of Object.entries(provider.envHttpHeaders)) {
    const value = nonBlank(parts.variables[variable]);
    if (value !== undefined) set(headers, name, value);
  }
  return headers;
}

function set(headers: Record<string, string>, name: string, value: string): void {
  const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  const isValue = /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (isName && isValue) headers[name.toLowerCase()] = value;
}

import type { WebSearchCallItem } from "@codex/protocol";
import type { NewThreadItem } from "../tools/tool.ts";

/** What a person is told of a search the server made: what was looked for, or the page that was opened or looked through. */
export function searchItem({ action = {} }: WebSearchCallItem): NewThreadItem {
  const { type = "other", ...rest } = action;
  return { type: "web_search", query: searchText(action), action: { type, ...rest } };
}

function searchText(action: NonNullable<WebSearchCallItem["action"]>): string {
  const { query, queries, url, pattern } = action;
  if (query) return query;
  const [first, ...more] = Array.isArray(queries) ? (queries as unknown[]) : [];
  if (typeof first === "string") return more.length === 0 ? first : `${first} ...`;
  const page = typeof url === "string" ? url : "";
  return typeof pattern === "string" ? `'${pattern}' in ${page}` : page;
}

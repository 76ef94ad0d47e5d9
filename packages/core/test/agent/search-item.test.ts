import { expect, test } from "vitest";
import { searchItem } from "../../src/agent/search-item.ts";

const url = "https://example.com/";

test.each<[Record<string, unknown> | undefined, string]>([
  [{ type: "search", query: "weather", queries: ["weather"] }, "weather"],
  [{ type: "search", queries: ["one"] }, "one"],
  [{ type: "search", queries: ["one", "two"] }, "one ..."],
  [{ type: "open_page", url }, url],
  [{ type: "find_in_page", url, pattern: "rain" }, `'rain' in ${url}`],
  [{ type: "search" }, ""],
  [undefined, ""],
])("exec-cli.md 3: a search %o is told as %j, its action untouched", (action, query) => {
  const call = { type: "web_search_call" as const, id: "ws_1", ...(action && { action }) };
  expect(searchItem(call)).toEqual({
    type: "web_search",
    query,
    action: action ?? { type: "other" },
  });
});

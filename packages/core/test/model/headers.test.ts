import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/model-client.ts";
import { requestHeaders } from "../../src/model/responses/headers.ts";
import { requestUrl, shownUrl } from "../../src/model/responses/request-url.ts";
import { testProvider, threadId } from "./test-provider.ts";

const parts = {
  provider: testProvider(),
  variables: {},
  apiKey: "key",
  originator: "codex_exec",
  userAgent: "codex-runtime/0.1.0",
  threadId,
};

describe("requestHeaders", () => {
  test("exec-cli.md 2: the thread is named three times, the key is a bearer token", () => {
    expect(requestHeaders(parts)).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      "accept-encoding": "gzip",
      originator: "codex_exec",
      "user-agent": "codex-runtime/0.1.0",
      "session-id": threadId,
      "thread-id": threadId,
      "x-client-request-id": threadId,
      authorization: "Bearer key",
    });
  });

  test("without a key nothing is said of one", () => {
    expect(requestHeaders({ ...parts, apiKey: undefined })).not.toHaveProperty("authorization");
  });

  test("config.md 10: the provider's headers win, those from variables last, blank and impossible ones are left out", () => {
    const provider = testProvider({
      httpHeaders: {
        Authorization: "Basic abc",
        "X-Team": "one",
        "bad name": "x",
        "X-Bad": "line\nbreak",
        "X-Umlaut": "\u{1F600}",
      },
      envHttpHeaders: { "X-Team": "TEAM", "X-Unset": "UNSET", "X-Blank": "BLANK" },
    });
    const headers = requestHeaders({
      ...parts,
      provider,
      variables: { TEAM: "two\n", BLANK: " " },
    });
    expect(headers).toMatchObject({ authorization: "Basic abc", "x-team": "two" });
    expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([
      "x-client-request-id",
      "x-team",
    ]);
  });
});

describe("requestUrl", () => {
  test.each([
    ["http://h/v1", {}, "http://h/v1/responses"],
    ["http://h/v1//", {}, "http://h/v1/responses"],
    ["https://h", {}, "https://h/responses"],
    [
      "http://h/v1",
      { "api-version": "2026-01", q: "a b" },
      "http://h/v1/responses?api-version=2026-01&q=a+b",
    ],
    ["http://h/v1?a=1", { b: "2" }, "http://h/v1/responses?a=1&b=2"],
  ])("%s with %j is asked at %s", (baseUrl, queryParams, expected) => {
    expect(requestUrl({ id: "p", baseUrl, queryParams }).href).toBe(expected);
  });

  test.each(["localhost:1234/v1", "", "ftp://h/v1"])("%j is refused by name", (baseUrl) => {
    expect(() => requestUrl({ id: "p", baseUrl, queryParams: {} })).toThrow(
      new ModelError(
        "invalidRequest",
        `the base_url of model provider \`p\` is no http or https address: ${baseUrl}`,
        { isRetryable: false, phase: "request" },
      ),
    );
  });

  test("keys in a query or before the host are not shown", () => {
    expect(shownUrl(new URL("https://me:secret@h:1/v1/responses?key=secret"))).toBe(
      "https://h:1/v1/responses",
    );
  });
});

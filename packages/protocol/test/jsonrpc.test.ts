import { expect, test } from "vitest";
import { parseMessage } from "../src/index.ts";

test.each([
  [{ id: 1, method: "m", params: { a: 1 } }],
  [{ id: "text", method: "m" }],
  [{ id: -7, method: "m", params: null }],
  [{ method: "initialized" }],
  [{ id: 0, result: null }],
  [{ id: "", error: { code: -32600, message: "no" } }],
  [{ id: 3, error: { code: 1, message: "no", data: { kind: "x" } } }],
])("a message comes out as it went in: %j", (message) => {
  expect(parseMessage(message)).toEqual(message);
});

test("seed B6: a version field, a trace and other unknown fields are dropped", () => {
  const wire = { jsonrpc: "2.0", id: 5, method: "m", trace: { traceparent: "t" }, extra: 1 };
  expect(parseMessage(wire)).toEqual({ id: 5, method: "m" });
});

test.each([
  [null],
  [42],
  ["text"],
  [[]],
  [[{ id: 1, method: "m" }]],
  [{ foo: 1 }],
  [{ id: 6 }],
  [{ id: null, method: "m" }],
  [{ id: 1.5, method: "m" }],
  [{ id: 2 ** 53, method: "m" }],
  [{ id: {}, method: "m" }],
  [{ id: 1, method: 2 }],
  [{ method: 2 }],
  [{ error: { code: 1, message: "no" } }],
  [{ id: 1, error: { code: "x", message: "no" } }],
  [{ id: 1, error: "no" }],
])("no message: %j", (value) => {
  expect(parseMessage(value)).toBeUndefined();
});

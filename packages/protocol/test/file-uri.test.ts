import { expect, test } from "vitest";
import { parseFileUri, parseWirePath, toAbsolutePath, toFileUri } from "../src/index.ts";

test.each([["/"], ["/a/b"], ["/a b/ü/100%/q?#"]])("%j survives the round trip", (text) => {
  const path = toAbsolutePath(text);
  expect(parseFileUri(toFileUri(path))).toBe(path);
});

test.each([
  ["file:///a/./b/../c", "/a/c"],
  ["file://localhost/a", "/a"],
  ["FILE:///a%20b", "/a b"],
  ["file:///a//b/", "/a/b"],
])("%j is %j", (uri, path) => {
  expect(parseFileUri(uri)).toBe(path);
});

test.each([
  "/a",
  "file:/a",
  "file://host/a",
  "http:///a",
  "file:///a?b",
  "file:///a#b",
  "file:///%zz",
  "file:///a%00",
  "file://",
])("%j is no file URI of this kind", (uri) => {
  expect(parseFileUri(uri)).toBeUndefined();
});

test("a peer may write a plain path or a URI, but nothing relative", () => {
  expect([parseWirePath("/a/../b"), parseWirePath("file:///b"), parseWirePath("b")]).toEqual([
    "/b",
    "/b",
    undefined,
  ]);
});

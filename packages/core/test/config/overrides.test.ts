import { expect, test } from "vitest";
import { ConfigError } from "../../src/config/config-error.ts";
import { parseOverrides } from "../../src/config/overrides.ts";

test.each<[string[], unknown]>([
  [["model=o3"], { model: "o3" }],
  [['model="o3"'], { model: "o3" }],
  [["x=true"], { x: true }],
  [["x=[1,2]"], { x: [1, 2] }],
  [["x={a=1}"], { x: { a: 1 } }],
  [["x=1.5"], { x: 1.5 }],
  [[" x = 3 "], { x: 3 }],
  [["x="], { x: "" }],
  [["x=a=b"], { x: "a=b" }],
  [["x='half"], { x: "half" }],
  [["x=two words"], { x: "two words" }],
  [["x=1\ny=2"], { x: "1\ny=2" }],
  [["a.b.c=1", "a.b.d=2"], { a: { b: { c: 1, d: 2 } } }],
  [["a=1", "a.b=2"], { a: { b: 2 } }],
  [["a.b=1", "a=2"], { a: 2 }],
  [["a=1", "a=2"], { a: 2 }],
  [["__proto__.polluted=true"], { ["__proto__"]: { polluted: true } }],
  [["use_legacy_landlock=true"], { features: { use_legacy_landlock: true } }],
])("config.md 6: -c %j", (overrides, expected) => {
  expect(JSON.parse(JSON.stringify(parseOverrides(overrides)))).toEqual(
    JSON.parse(JSON.stringify(expected)),
  );
  expect({}).not.toHaveProperty("polluted");
});

test.each([
  ["foo", "Error parsing -c overrides: Invalid override (missing '='): foo"],
  [" =x", "Error parsing -c overrides: Empty key in override:  =x"],
])("config.md 6: -c %j is refused", (override, message) => {
  expect(() => parseOverrides([override])).toThrow(new ConfigError("override", message));
});

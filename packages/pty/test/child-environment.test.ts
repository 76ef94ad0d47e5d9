import { type EnvironmentPolicy, exactEnvironment } from "@codex/pty";
import { expect, test } from "vitest";
import { childEnvironment } from "../src/child-environment.ts";

const base = {
  HOME: "/home/me",
  PATH: "/bin",
  EDITOR: "vi",
  api_key: "1",
  MY_SECRET_WORD: "2",
  Token: "3",
  ABSENT: undefined,
};

function policy(changes: Partial<EnvironmentPolicy>): EnvironmentPolicy {
  return {
    inherit: "all",
    ignoreDefaultExcludes: true,
    exclude: [],
    set: {},
    includeOnly: [],
    overlay: {},
    ...changes,
  };
}

test.each<[string, Partial<EnvironmentPolicy>, Record<string, string>]>([
  [
    "all is everything that has a value",
    {},
    {
      HOME: "/home/me",
      PATH: "/bin",
      EDITOR: "vi",
      api_key: "1",
      MY_SECRET_WORD: "2",
      Token: "3",
    },
  ],
  ["core is the core names", { inherit: "core" }, { HOME: "/home/me", PATH: "/bin" }],
  ["none is nothing", { inherit: "none" }, {}],
  [
    "names like KEY, SECRET and TOKEN stay out in any case",
    { ignoreDefaultExcludes: false },
    { HOME: "/home/me", PATH: "/bin", EDITOR: "vi" },
  ],
  [
    "excludes are globs in any case",
    { ignoreDefaultExcludes: false, exclude: ["e*", "?ath"] },
    { HOME: "/home/me" },
  ],
  [
    "set comes after the excludes and wins over what is inherited",
    { inherit: "core", exclude: ["*"], set: { API_KEY: "mine", HOME: "/else" } },
    { API_KEY: "mine", HOME: "/else" },
  ],
  [
    "includeOnly filters set too",
    { set: { FOO: "1", PATHS: "2" }, includeOnly: ["path*"] },
    { PATH: "/bin", PATHS: "2" },
  ],
  [
    "the overlay comes last and nothing filters it",
    { set: { TERM: "xterm" }, includeOnly: ["HOME", "TERM"], overlay: { TERM: "dumb", ID: "7" } },
    { HOME: "/home/me", TERM: "dumb", ID: "7" },
  ],
])("unified-exec.md 8: %s", (_, changes, expected) => {
  expect(childEnvironment(policy(changes), base)).toEqual(expected);
});

test("an exact environment takes nothing from the executor", () => {
  expect(childEnvironment(exactEnvironment({ A_KEY: "1" }), base)).toEqual({ A_KEY: "1" });
});

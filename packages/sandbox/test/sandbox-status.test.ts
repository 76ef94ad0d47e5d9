import { expect, test } from "vitest";
import { parseSandboxStatus } from "../src/index.ts";

test.each([
  ['{ "child-pid": 12, "net-namespace": 4026532179 }\n{ "exit-code": 3 }\n', 12, 3],
  ['{ "child-pid": 12 }\n', 12, undefined],
  ["", undefined, undefined],
])(
  "FEASIBILITY 4.3: %j; without an exit code the command never ran",
  (text, childPid, exitCode) => {
    expect(parseSandboxStatus(text)).toEqual({ childPid, exitCode });
  },
);

import { narrowIntent } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";
import { describe, expect, test } from "vitest";

const full: SandboxIntent = { mode: "danger-full-access" };
const readOnly: SandboxIntent = { mode: "read-only", networkAccess: false };

function write(writableRoots: readonly string[], rest: boolean): SandboxIntent {
  return {
    mode: "workspace-write",
    writableRoots,
    includeSlashTmp: rest,
    includeTmpdir: rest,
    networkAccess: rest,
  };
}

describe("narrowIntent", () => {
  test.each<[string, SandboxIntent, SandboxIntent, SandboxIntent]>([
    ["full access adds nothing", full, full, full],
    ["the bound stands against full access", full, readOnly, readOnly],
    ["full access as bound leaves the wish", write(["/w"], true), full, write(["/w"], true)],
    ["read-only wins, from either side", write(["/w"], false), readOnly, readOnly],
    [
      "the network needs both",
      { mode: "read-only", networkAccess: true },
      write(["/w"], false),
      readOnly,
    ],
    [
      "a root inside the bound stays",
      write(["/w/a"], true),
      write(["/w"], true),
      write(["/w/a"], true),
    ],
    [
      "a wider root becomes the bound's",
      write(["/"], true),
      write(["/w"], true),
      write(["/w"], true),
    ],
    [
      "a root outside the bound goes",
      write(["/x", "/w"], true),
      write(["/w"], true),
      write(["/w"], true),
    ],
    ["every extra needs both", write(["/w"], true), write(["/w"], false), write(["/w"], false)],
    [
      "a root that the bound protects goes",
      write(["/w", "/w/.git"], true),
      write(["/w"], true),
      write(["/w"], true),
    ],
    [
      "a root the bound names itself stays",
      write(["/w", "/w/.git"], true),
      write(["/w", "/w/.git"], true),
      write(["/w", "/w/.git"], true),
    ],
    ["`..` does not lead out", write(["/w/../etc"], true), write(["/w"], true), write([], true)],
  ])("%s", (_, asked, bound, expected) => {
    expect(narrowIntent(asked, bound)).toEqual(expected);
  });
});

test("what either side keeps read-only stays read-only, and no root lies in it", () => {
  const intent = (readOnlyPaths: string[], writableRoots: string[]): SandboxIntent => ({
    mode: "workspace-write",
    writableRoots,
    includeSlashTmp: false,
    includeTmpdir: false,
    networkAccess: false,
    readOnlyPaths,
  });
  const asked = intent(["/w/a"], ["/w", "/w/b"]);
  expect(narrowIntent(asked, intent(["/w/b", "/w/a"], ["/w"]))).toEqual(
    intent(["/w/a", "/w/b"], ["/w"]),
  );
});

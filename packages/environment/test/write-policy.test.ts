import { checkWritable, type MachineFacts, writeRules } from "@codex/environment";
import { type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";

const path = toAbsolutePath;

const plainMachine: MachineFacts = {
  temporaryDirectory: undefined,
  realTarget: (asked) => asked,
  gitDirectoryOf: () => undefined,
};

function workspaceWrite(
  writableRoots: readonly string[],
  extra: { includeSlashTmp?: boolean; includeTmpdir?: boolean } = {},
): SandboxIntent {
  const base = { includeSlashTmp: false, includeTmpdir: false, networkAccess: false };
  return { mode: "workspace-write", writableRoots, ...base, ...extra };
}

describe("writeRules", () => {
  test("danger-full-access restricts nothing, read-only allows nothing", () => {
    expect(writeRules({ mode: "danger-full-access" }, plainMachine)).toBeUndefined();
    expect(writeRules({ mode: "read-only", networkAccess: true }, plainMachine)).toEqual({
      writableRoots: [],
      protectedPaths: [],
    });
  });

  test("/tmp and $TMPDIR are roots when included and known", () => {
    const machine = { ...plainMachine, temporaryDirectory: path("/var/scratch") };
    const roots = (intent: SandboxIntent, facts: MachineFacts) =>
      writeRules(intent, facts)?.writableRoots;
    const both = workspaceWrite(["/w"], { includeSlashTmp: true, includeTmpdir: true });
    expect([
      roots(workspaceWrite(["/w"]), machine),
      roots(both, machine),
      roots(both, plainMachine),
    ]).toEqual([["/w"], ["/w", "/tmp", "/var/scratch"], ["/w", "/tmp"]]);
  });

  test("roots are resolved; one that is not absolute or cannot be resolved is none", () => {
    const machine: MachineFacts = {
      ...plainMachine,
      realTarget: (asked) => (asked.startsWith("/loop") ? undefined : path(`/real${asked}`)),
    };
    expect(writeRules(workspaceWrite(["/w", "relative", "/loop"]), machine)?.writableRoots).toEqual(
      ["/real/w"],
    );
  });

  test("the protected names, what they link to and the git directory they point to are protected", () => {
    const machine: MachineFacts = {
      ...plainMachine,
      realTarget: (asked) => (asked === "/w/.codex" ? path("/w/settings") : asked),
      gitDirectoryOf: (asked) => (asked === "/w/.git" ? path("/w/data/git") : undefined),
    };
    expect(writeRules(workspaceWrite(["/w"]), machine)?.protectedPaths).toEqual([
      "/w/.git",
      "/w/.codex",
      "/w/.agents",
      "/w/data/git",
      "/w/settings",
    ]);
  });

  test("a protected path that is listed as a root is not protected", () => {
    const rules = writeRules(workspaceWrite(["/w", "/w/.git"]), plainMachine);
    expect(rules?.protectedPaths).not.toContain("/w/.git");
  });
});

describe("checkWritable", () => {
  const rules = {
    writableRoots: [path("/w"), path("/tmp"), path("/w/.git/hooks")],
    protectedPaths: [path("/w/.git"), path("/w/.codex"), path("/tmp/.git")],
  };

  test.each([
    ["/w", undefined, "protected"],
    ["/w/file", undefined, undefined],
    ["/w/deep/.git/file", undefined, undefined],
    ["/w/.gitignore", undefined, undefined],
    ["/w/.git", "protected", "protected"],
    ["/w/.git/config", "protected", "protected"],
    ["/w/.codex/new/file", "protected", "protected"],
    ["/w/.git/hooks", undefined, "protected"],
    ["/w/.git/hooks/pre-commit", undefined, undefined],
    ["/tmp/x", undefined, undefined],
    ["/tmp/.git/x", "protected", "protected"],
    ["/wx", "outside", "outside"],
    ["/", "outside", "outside"],
    ["/etc/passwd", "outside", "outside"],
  ] as const)("%s: filling it is %s, removing it is %s", (text, content, entry) => {
    const asked = path(text);
    expect([checkWritable(asked, "content", rules), checkWritable(asked, "entry", rules)]).toEqual([
      content,
      entry,
    ]);
  });
});

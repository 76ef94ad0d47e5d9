import { expect, test } from "vitest";
import {
  type AbsolutePath,
  type MachineFacts,
  type SandboxIntent,
  toAbsolutePath,
  writeRules,
} from "../src/index.ts";

type Entry = "directory" | "file" | { readonly link: string };

/** A machine whose entries are these; a key below a link is not found. */
function machine(
  entries: Readonly<Record<string, Entry>>,
  rest: { temporaryDirectory?: string; gitDirectories?: Readonly<Record<string, string>> } = {},
): MachineFacts {
  const realPath = (path: AbsolutePath): AbsolutePath | undefined => {
    const entry = entries[path];
    return typeof entry === "object" ? realPath(toAbsolutePath(entry.link)) : entry && path;
  };
  return {
    temporaryDirectory: rest.temporaryDirectory && toAbsolutePath(rest.temporaryDirectory),
    realPath,
    kindOf: (path) => {
      const entry = entries[path];
      return typeof entry === "object" ? "link" : entry;
    },
    gitDirectoryOf: (path) => {
      const directory = rest.gitDirectories?.[path];
      return directory === undefined ? undefined : toAbsolutePath(directory);
    },
  } as MachineFacts;
}

function workspaceWrite(
  writableRoots: readonly string[],
  extra: {
    includeSlashTmp?: boolean;
    includeTmpdir?: boolean;
    readOnlyPaths?: readonly string[];
  } = {},
): SandboxIntent {
  const base = { includeSlashTmp: false, includeTmpdir: false, networkAccess: false };
  return { mode: "workspace-write", writableRoots, ...base, ...extra };
}

const plain = machine({ "/w": "directory" });
const protectedInW = ["/w/.git", "/w/.codex", "/w/.agents"];

test("danger-full-access restricts nothing, read-only allows nothing", () => {
  expect(writeRules({ mode: "danger-full-access" }, plain)).toBeUndefined();
  expect(writeRules({ mode: "read-only", networkAccess: true }, plain)).toEqual({
    writableRoots: [],
    protectedPaths: [],
  });
});

test("config.md 11: .git, .codex and .agents under a root are protected, missing ones too", () => {
  expect(writeRules(workspaceWrite(["/w"]), plain)).toEqual({
    writableRoots: ["/w"],
    protectedPaths: protectedInW,
  });
});

test("paths that an intent calls read-only are protected beside the names, missing ones too", () => {
  const linked = machine({
    "/link": { link: "/w" },
    "/w": "directory",
    "/w/.aws": "directory",
    "/v": "directory",
  });
  const readOnlyPaths = ["/link/.aws", "/w/missing", "/elsewhere", "relative"];
  expect(writeRules(workspaceWrite(["/link"], { readOnlyPaths }), linked)).toEqual({
    writableRoots: ["/w"],
    protectedPaths: [...protectedInW, "/w/.aws", "/w/missing"],
  });
});

test("a root with a link at a read-only path is not writable: the link could be exchanged", () => {
  const linked = machine({ "/w": "directory", "/w/.aws": { link: "/home" }, "/home": "directory" });
  expect(writeRules(workspaceWrite(["/w"], { readOnlyPaths: ["/w/.aws"] }), linked)).toEqual({
    writableRoots: [],
    protectedPaths: [],
  });
});

test("roots are resolved; what is not absolute or not there is none", () => {
  const linked = machine({ "/link": { link: "/w" }, "/w": "directory" });
  expect(writeRules(workspaceWrite(["/link", "relative", "/missing"]), linked)).toEqual({
    writableRoots: ["/w"],
    protectedPaths: protectedInW,
  });
});

test("config.md 11: /tmp and $TMPDIR are roots when included and known; only what is there is protected in them", () => {
  const entries = { "/w": "directory", "/tmp": "directory", "/t": "directory" } as const;
  const facts = machine({ ...entries, "/t/.git": "directory" }, { temporaryDirectory: "/t" });
  const both = workspaceWrite(["/w"], { includeSlashTmp: true, includeTmpdir: true });
  expect([writeRules(both, facts), writeRules(both, machine(entries))]).toEqual([
    { writableRoots: ["/w", "/tmp", "/t"], protectedPaths: [...protectedInW, "/t/.git"] },
    { writableRoots: ["/w", "/tmp"], protectedPaths: protectedInW },
  ]);
  expect(
    writeRules(workspaceWrite(["/tmp"], { includeSlashTmp: true }), facts)?.protectedPaths,
  ).toEqual(["/tmp/.git", "/tmp/.codex", "/tmp/.agents"]);
});

test("config.md 11: the git directory that a .git file points to is protected", () => {
  const facts = machine(
    { "/w": "directory", "/w/.git": "file" },
    { gitDirectories: { "/w/.git": "/main/.git/worktrees/w" } },
  );
  expect(writeRules(workspaceWrite(["/w"]), facts)?.protectedPaths).toEqual([
    "/w/.git",
    "/main/.git/worktrees/w",
    "/w/.codex",
    "/w/.agents",
  ]);
});

test("FEASIBILITY 4.3: a root with a link under a protected name is not writable", () => {
  const facts = machine({
    "/w": "directory",
    "/w/.git": { link: "/elsewhere" },
    "/other": "directory",
  });
  expect(writeRules(workspaceWrite(["/w", "/other"]), facts)?.writableRoots).toEqual(["/other"]);
});

test.each<[string, Entry, string]>([
  ["a directory", "directory", "/w/.git"],
  ["a worktree's file", "file", "/w/.git"],
  ["a link", { link: "/elsewhere" }, "/elsewhere"],
])("a protected name that is listed as a root is not protected: %s", (_what, entry, root) => {
  const facts = machine({ "/w": "directory", "/w/.git": entry, "/elsewhere": "directory" });
  expect(writeRules(workspaceWrite(["/w", "/w/.git"]), facts)).toEqual({
    writableRoots: ["/w", root],
    protectedPaths: [
      "/w/.codex",
      "/w/.agents",
      ...(root === "/elsewhere"
        ? ["/elsewhere/.git", "/elsewhere/.codex", "/elsewhere/.agents"]
        : []),
    ],
  });
});

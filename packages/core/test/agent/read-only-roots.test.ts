import {
  createCountingFileSystem,
  createMemoryFileSystem,
  type MemoryFiles,
} from "@codex/environment/testing";
import { type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { expect, test } from "vitest";
import { readOnlyRootWarnings } from "../../src/agent/read-only-roots.ts";

const writing = (...writableRoots: string[]): SandboxIntent => ({
  mode: "workspace-write",
  writableRoots,
  includeSlashTmp: true,
  includeTmpdir: true,
  networkAccess: false,
});

/** The roots that are said to stay read-only, each with the name that is a link. */
async function said(
  sandbox: SandboxIntent,
  { files = {}, links }: { files?: MemoryFiles; links: Readonly<Record<string, string>> },
) {
  const memory = createMemoryFileSystem({
    "/w/a": "",
    "/v/a": "",
    "/elsewhere/git/HEAD": "",
    ...files,
  });
  for (const [path, target] of Object.entries(links))
    await memory.makeSymlink(target, toAbsolutePath(path));
  const fileSystem = createCountingFileSystem(memory);
  const warnings = await readOnlyRootWarnings(fileSystem, sandbox, new AbortController().signal);
  return {
    roots: warnings.map((text) => /^`(.*)` stays read-only: its `(.*)` is/.exec(text)?.slice(1)),
    roundTrips: fileSystem.count().roundTrips,
  };
}

test("a root whose .git is a symbolic link is named, one that leads nowhere too", async () => {
  const links = { "/w/.git": "/elsewhere/git", "/v/.agents": "/nowhere", "/v/.other": "/w" };
  expect(await said(writing("/w", "/v", "/missing"), { links })).toMatchObject({
    roots: [
      ["/w", ".git"],
      ["/v", ".agents"],
    ],
  });
});

test("a link whose target may be written itself keeps nothing read-only", async () => {
  const links = { "/w/.git": "/elsewhere/git" };
  expect(await said(writing("/w", "/elsewhere/git"), { links })).toMatchObject({ roots: [] });
});

test("without such a link it is one round trip, without writable roots none", async () => {
  const links = { "/w/link": "/v" };
  expect(await said(writing("/w", "/v"), { links })).toEqual({ roots: [], roundTrips: 1 });
  const readOnly = { mode: "read-only", networkAccess: false } as const;
  expect(await said(readOnly, { links: { "/w/.git": "/v" } })).toEqual({
    roots: [],
    roundTrips: 0,
  });
});

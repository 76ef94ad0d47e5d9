import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rolloutPath } from "../../src/thread/rollout-writer.ts";
import {
  findLastSession,
  findSessionFile,
  listSessionFiles,
} from "../../src/thread/session-files.ts";

const [first, second, third] = [
  "00000000-0000-7000-8000-00000000000a",
  "00000000-0000-7000-8000-00000000000b",
  "00000000-0000-7000-8000-00000000000c",
];

function homeWith(
  threads: readonly { readonly id: string; readonly cwd: string; readonly modified: number }[],
): string {
  const home = mkdtempSync(join(tmpdir(), "sessions-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const { id, cwd, modified } of threads) {
    const path = rolloutPath(home, id, new Date(2026, 0, 1));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      `${JSON.stringify({ timestamp: "t", type: "session_meta", payload: { id, cwd } })}\n`,
    );
    utimesSync(path, modified, modified);
  }
  return home;
}

test("session.md 13: sessions are listed last written first, other files are passed over", () => {
  const home = homeWith([
    { id: first, cwd: "/a", modified: 10 },
    { id: second, cwd: "/b", modified: 30 },
    { id: third, cwd: "/a", modified: 20 },
  ]);
  writeFileSync(join(home, "sessions/rollout-notes.txt"), "");
  expect(listSessionFiles(home).map((file) => file.threadId)).toEqual([second, third, first]);
  expect(findSessionFile(home, first.toUpperCase())?.threadId).toBe(first);
  expect(findSessionFile(home, "nothing")).toBeUndefined();
});

test("session.md 13: the last session is that of this folder unless the filter is lifted", () => {
  const home = homeWith([
    { id: first, cwd: "/a", modified: 10 },
    { id: second, cwd: "/b", modified: 30 },
  ]);
  expect(findLastSession(home, { workdir: "/a" })?.threadId).toBe(first);
  expect(findLastSession(home, {})?.threadId).toBe(second);
  expect(findLastSession(home, { workdir: "/nowhere" })).toBeUndefined();
});

test("a home without sessions has none", () => {
  expect(listSessionFiles("/does/not/exist")).toEqual([]);
});

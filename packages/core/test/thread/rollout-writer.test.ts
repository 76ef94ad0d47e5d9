import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRollout, rolloutPath } from "../../src/thread/rollout-writer.ts";
import { isThreadId, newThreadId } from "../../src/thread/thread-id.ts";

test("session.md 12: lines are there when write returns, in a 0600 file in 0700 folders made at the first write", () => {
  const home = mkdtempSync(join(tmpdir(), "rollout-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = rolloutPath(home, "ID", new Date(2026, 2, 7, 4, 5, 6));
  expect(path).toBe(join(home, "sessions/2026/03/07/rollout-2026-03-07T04-05-06-ID.jsonl"));
  using rollout = openRollout(path, () => new Date(0));
  expect(existsSync(join(home, "sessions"))).toBe(false);
  rollout.write("session_meta", { id: "ID" });
  rollout.write("response_item", { type: "message", text: "é\u2028" });
  expect(
    readFileSync(path, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { timestamp: "1970-01-01T00:00:00.000Z", type: "session_meta", payload: { id: "ID" } },
    {
      timestamp: "1970-01-01T00:00:00.000Z",
      type: "response_item",
      payload: { type: "message", text: "é\u2028" },
    },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test("thread ids are version 7 UUIDs that sort by time", () => {
  const [early, late] = [newThreadId(1_000), newThreadId(2_000)];
  expect(early < late).toBe(true);
  expect([early, late].every(isThreadId)).toBe(true);
  expect(newThreadId(0x0123456789ab, new Uint8Array(10).fill(0xff))).toBe(
    "01234567-89ab-7fff-bfff-ffffffffffff",
  );
});

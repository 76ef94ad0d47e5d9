import { describe, expect, it, test } from "vitest";
import {
  chooseForPruning,
  SessionStore,
  type StoredSession,
} from "../../src/unified-exec/session-store.ts";

function session(id: number, options: { lastUsedMs?: number; hasExited?: boolean } = {}) {
  return {
    id,
    lastUsedMs: options.lastUsedMs ?? id,
    exit: options.hasExited ? { code: 0 } : undefined,
    isInBackground: true,
  } satisfies StoredSession;
}

const tenSessions = (...exited: number[]) =>
  Array.from({ length: 10 }, (_, id) => session(id, { hasExited: exited.includes(id) }));

describe("unified-exec.md 16: pruning of ten", () => {
  it.each([
    ["the ended one outside the last eight", [1], 1],
    ["the least recently used, when none has ended", [], 0],
    ["the least recently used, when only one of the last eight has ended", [9], 0],
    ["the older of two ended ones", [0, 1], 0],
  ])("chooses %s", (_, exited, expected) => {
    expect(chooseForPruning(tenSessions(...exited), 10)?.id).toBe(expected);
  });

  it("goes by last use, not by the order of starting", () => {
    const sessions = tenSessions().map((each) => session(each.id, { lastUsedMs: 100 - each.id }));
    expect(chooseForPruning(sessions, 10)?.id).toBe(9);
  });

  it("chooses nobody while there is room for one more", () => {
    expect(chooseForPruning(tenSessions(1), 11)).toBeUndefined();
    const full = Array.from({ length: 64 }, (_, id) => session(id));
    expect([chooseForPruning(full.slice(1))?.id, chooseForPruning(full)?.id]).toEqual([
      undefined,
      0,
    ]);
  });
});

test("unified-exec.md 2: counting ids go up from 1000 and past the highest in use", () => {
  const store = new SessionStore({ kind: "counting" });
  expect([store.reserveId(), store.reserveId()]).toEqual([1000, 1001]);
  store.release(1000);
  expect(store.reserveId()).toBe(1002);
  store.release(1001);
  store.release(1002);
  expect(store.reserveId()).toBe(1000);
});

test("unified-exec.md 2: random ids lie between 1000 and 99999 and are never given twice at once", () => {
  const randoms = [0, 0, 0.999_999_9];
  const store = new SessionStore({ kind: "random", random: () => randoms.shift() ?? 0 });
  expect([store.reserveId(), store.reserveId()]).toEqual([1_000, 99_999]);
});

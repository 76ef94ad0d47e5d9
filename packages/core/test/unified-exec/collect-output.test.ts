import { ProcessError } from "@codex/environment";
import { describe, expect, it } from "vitest";
import { systemClock, waitForOutput } from "../../src/unified-exec/collect-output.ts";
import { ManualClock, settled } from "./manual-clock.ts";

/** A command whose two ends the test holds, and a wait of one second on it. */
function waiting() {
  const clock = new ManualClock();
  const abort = new AbortController();
  let exit!: () => void;
  let lose!: (error: Error) => void;
  let close!: () => void;
  const exited = new Promise<void>((resolve, reject) => {
    exit = resolve;
    lose = reject;
  });
  const drained = new Promise<void>((resolve) => {
    close = resolve;
  });
  const closed = Promise.all([exited, drained]);
  let state = "waiting";
  const wait = waitForOutput({ exited, closed }, { yieldMs: 1_000, clock, signal: abort.signal });
  wait.then(
    () => (state = "over"),
    (error: Error) => (state = error.message),
  );
  return { clock, abort, wait, exit, lose, close, state: () => settled().then(() => state) };
}

describe("unified-exec.md 5: the wait for output", () => {
  it("ends at the deadline and not before", async () => {
    const { clock, state } = waiting();
    await clock.advance(999);
    expect(await state()).toBe("waiting");
    await clock.advance(1);
    expect(await state()).toBe("over");
  });

  it("ends as soon as the command has ended and its output is closed", async () => {
    const { exit, close, state, clock } = waiting();
    exit();
    expect(await state()).toBe("waiting");
    close();
    expect(await state()).toBe("over");
    expect(clock.pendingMs).toEqual([]);
  });

  it("gives output 50 ms after the exit when something holds it open", async () => {
    const { exit, clock, state } = waiting();
    await clock.advance(100);
    exit();
    await clock.timerOf(50);
    await clock.advance(49);
    expect(await state()).toBe("waiting");
    await clock.advance(1);
    expect(await state()).toBe("over");
  });

  it("does not exceed the deadline by that grace", async () => {
    const { exit, clock, state } = waiting();
    await clock.advance(980);
    exit();
    await settled();
    await clock.advance(20);
    expect(await state()).toBe("over");
  });

  it("rejects at once with the signal's reason, and leaves no timer", async () => {
    const { abort, clock, state } = waiting();
    abort.abort(new Error("stop"));
    expect(await state()).toBe("stop");
    expect(clock.pendingMs).toEqual([]);
  });

  it("does not begin when the signal is aborted already", async () => {
    const never = new Promise<never>(() => {});
    const signal = AbortSignal.abort(new Error("before"));
    const wait = waitForOutput(
      { exited: never, closed: never },
      { yieldMs: 1_000, clock: new ManualClock(), signal },
    );
    await expect(wait).rejects.toThrow("before");
  });

  it("rejects with the loss of the side that runs the command", async () => {
    const { lose, state, clock } = waiting();
    lose(new ProcessError("lost", "gone"));
    expect(await state()).toBe("gone");
    expect(clock.pendingMs).toEqual([]);
  });

  it("is no leak to Node when many wait on one signal", async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on("warning", hear);
    const abort = new AbortController();
    const never = new Promise<never>(() => {});
    const waits = Array.from({ length: 20 }, () =>
      waitForOutput(
        { exited: never, closed: never },
        { yieldMs: 1_000, clock: systemClock, signal: abort.signal },
      ),
    );
    await settled();
    abort.abort(new Error("stop"));
    const results = await Promise.allSettled(waits);
    process.off("warning", hear);
    expect(warnings).toEqual([]);
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
  });

  it("ends by the system's clock too", async () => {
    const never = new Promise<never>(() => {});
    const startedMs = systemClock.now();
    await waitForOutput(
      { exited: never, closed: never },
      { yieldMs: 20, clock: systemClock, signal: new AbortController().signal },
    );
    expect(systemClock.now() - startedMs).toBeGreaterThanOrEqual(19);
  });
});

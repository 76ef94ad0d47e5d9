import { ProcessError } from "@codex/pty";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TerminalWriter } from "../src/terminal-writer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("writes in order, in the pieces the terminal takes", async () => {
  const terminal = new FakeTerminal(3);
  const writer = new TerminalWriter(terminal.write);
  await Promise.all([writer.write(bytes("hello ")), writer.write(bytes("world"))]);
  expect(terminal.pieces).toEqual(["hel", "lo ", "wor", "ld"]);
});

test("asks a full terminal again after 1, 2, 4 up to 50 ms, and quickly again after progress", async () => {
  const terminal = new FakeTerminal(0);
  const writer = new TerminalWriter(terminal.write);
  const writing = writer.write(bytes("abcd"));
  for (const pauseMs of [1, 2, 4, 8, 16, 32, 50, 50]) {
    const before = terminal.asked;
    vi.advanceTimersByTime(pauseMs - 1);
    expect(terminal.asked).toBe(before);
    vi.advanceTimersByTime(1);
    expect(terminal.asked).toBe(before + 1);
  }
  terminal.room = 2;
  terminal.fillsUp = true;
  vi.advanceTimersByTime(50);
  terminal.room = 2;
  vi.advanceTimersByTime(1);
  await writing;
  expect(terminal.pieces).toEqual(["ab", "cd"]);
});

test("an abort takes back what the terminal has not taken; later writes go on", async () => {
  const terminal = new FakeTerminal(2);
  terminal.fillsUp = true;
  const writer = new TerminalWriter(terminal.write);
  const controller = new AbortController();
  const reason = new Error("enough");
  const first = writer.write(bytes("abcd"), controller.signal);
  const second = writer.write(bytes("ef"));
  controller.abort(reason);
  await expect(first).rejects.toBe(reason);
  terminal.room = 2;
  vi.advanceTimersByTime(1);
  await second;
  expect(terminal.pieces).toEqual(["ab", "ef"]);
});

test("closing refuses what waits and what comes, and leaves no timer", async () => {
  const writer = new TerminalWriter(new FakeTerminal(0).write);
  const waiting = writer.write(bytes("abcd"));
  writer.close();
  const later = writer.write(bytes("x"));
  for (const write of [waiting, later])
    await expect(write).rejects.toEqual(
      expect.objectContaining({ name: "ProcessError", kind: "stdinClosed" }),
    );
  expect(vi.getTimerCount()).toBe(0);
});

test("a terminal that is gone is a closed input", async () => {
  const writer = new TerminalWriter(() => {
    throw Object.assign(new Error("EIO"), { code: "EIO" });
  });
  await expect(writer.write(bytes("x"))).rejects.toBeInstanceOf(ProcessError);
});

/** Takes `room` bytes a call; EAGAIN at 0. */
class FakeTerminal {
  readonly pieces: string[] = [];
  asked = 0;
  /** Has no more room after a piece. */
  fillsUp = false;
  room: number;
  constructor(room: number) {
    this.room = room;
  }

  readonly write = (offered: Uint8Array): number => {
    this.asked += 1;
    if (this.room === 0) throw Object.assign(new Error("EAGAIN"), { code: "EAGAIN" });
    const piece = Buffer.from(offered.subarray(0, this.room)).toString();
    this.pieces.push(piece);
    if (this.fillsUp) this.room = 0;
    return piece.length;
  };
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

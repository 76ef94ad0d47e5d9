import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readInput } from "../src/exec/read-input.ts";

const patient = { firstByteMs: undefined, silenceMs: undefined, maxBytes: 1024 };
const never = new AbortController().signal;

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function read(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

test("everything up to the end is read", async () => {
  const { bytes, stoppedBy } = await readInput(chunks("ab", "c"), patient, never);
  expect([read(bytes), stoppedBy]).toEqual(["abc", "end"]);
});

test("a source that never begins is given up after the first wait", async () => {
  const silent = new PassThrough();
  const limits = { ...patient, firstByteMs: 5 };
  const { bytes, stoppedBy } = await readInput(silent, limits, never);
  expect([bytes.byteLength, stoppedBy]).toEqual([0, "nothingCame"]);
});

test("a source that began is not held to the first wait, only to silence", async () => {
  const pipe = new PassThrough();
  pipe.write("started");
  const limits = { firstByteMs: 1, silenceMs: 20, maxBytes: 1024 };
  const { bytes, stoppedBy } = await readInput(pipe, limits, never);
  expect([read(bytes), stoppedBy]).toEqual(["started", "silent"]);
});

test("reading stops at the size bound, exactly there", async () => {
  const { bytes, stoppedBy } = await readInput(
    chunks("abcdef", "ghi"),
    { ...patient, maxBytes: 4 },
    never,
  );
  expect([read(bytes), stoppedBy]).toEqual(["abcd", "tooLong"]);
});

test("aborting ends the wait with the signal's reason", async () => {
  const controller = new AbortController();
  const reading = readInput(new PassThrough(), patient, controller.signal);
  controller.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});

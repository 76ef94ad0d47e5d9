import { AsyncQueue } from "@codex/jsonrpc";
import type { OutputChunk } from "@codex/environment";
import { expect, test } from "vitest";
import { coalesceOutput } from "../../src/server/coalesce-output.ts";
import { createFakeClock, turns } from "./fake-clock.ts";

function start(maxBytes = 10) {
  const clock = createFakeClock();
  const source = new AsyncQueue<OutputChunk>({ capacity: 1_000 });
  const out: string[] = [];
  const done = (async () => {
    for await (const { stream, bytes } of coalesceOutput(source, { clock, windowMs: 2, maxBytes }))
      out.push(`${stream}:${Buffer.from(bytes).toString()}`);
  })();
  const print = async (text: string, stream: OutputChunk["stream"] = "pty") => {
    source.push({ stream, bytes: Buffer.from(text) });
    await turns(2);
  };
  return { clock, source, out, done, print };
}

test("the first chunk after a pause goes out at once, what follows in the window together", async () => {
  const { clock, out, print, source, done } = start();
  await print("a");
  expect(out).toEqual(["pty:a"]);
  await print("b");
  await print("c");
  expect(out).toEqual(["pty:a"]);
  clock.pass(2);
  await turns(2);
  expect(out).toEqual(["pty:a", "pty:bc"]);
  clock.pass(2);
  await print("d");
  expect(out).toEqual(["pty:a", "pty:bc", "pty:d"]);
  source.end();
  await done;
});

test("a full chunk goes out before the window ends, and none is larger than the bound", async () => {
  const { clock, out, print, source, done } = start(4);
  await print("a");
  for (const text of ["bb", "cc", "dd", "e"]) await print(text);
  expect(out).toEqual(["pty:a", "pty:bbcc"]);
  clock.pass(2);
  await turns(2);
  expect(out).toEqual(["pty:a", "pty:bbcc", "pty:dde"]);
  source.end();
  await done;
});

test("what is held goes out when the output ends, and no timer stays behind", async () => {
  const { clock, out, print, source, done } = start();
  await print("a");
  await print("b");
  source.end();
  await done;
  expect([out, clock.waiting]).toEqual([["pty:a", "pty:b"], 0]);
});

test("streams are never mixed, and their order stays", async () => {
  const { clock, out, print, source, done } = start();
  await print("a", "stdout");
  await print("b", "stdout");
  await print("c", "stderr");
  await print("d", "stderr");
  clock.pass(2);
  await turns(2);
  source.end();
  await done;
  expect(out).toEqual(["stdout:a", "stdout:b", "stderr:cd"]);
});

test("while nobody takes, nothing more than one chunk is pulled", async () => {
  const clock = createFakeClock();
  const source = new AsyncQueue<OutputChunk>({ capacity: 1_000 });
  for (let index = 0; index < 100; index += 1)
    source.push({ stream: "pty", bytes: Buffer.from("xx") });
  const reader = coalesceOutput(source, { clock, windowMs: 2, maxBytes: 4 });
  await reader.next();
  await reader.next();
  await turns(2);
  let left = 0;
  source.end();
  for await (const chunk of source) left += chunk.bytes.length;
  expect(left).toBeGreaterThan(180);
});

test("a source that fails fails, after what came before", async () => {
  const { out, print, source, done } = start();
  const failed = expect(done).rejects.toThrow("lost");
  await print("a");
  source.fail(new Error("lost"));
  await failed;
  expect(out).toEqual(["pty:a"]);
});

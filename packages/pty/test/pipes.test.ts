import { readdirSync } from "node:fs";
import { PipePool } from "@codex/pty";
import { temporaryDirectory } from "@codex/test-support";
import { expect, test } from "vitest";
import { closePipe, type Pipe } from "../src/pipes.ts";
import { finished, openBench } from "./bench.ts";

test("are real pipes: a program may open /dev/stdout, /dev/stderr and /dev/stdin", async () => {
  await using bench = openBench();
  const script =
    "[ -p /dev/stdin ] && [ -p /dev/stdout ] && [ -p /dev/stderr ] && cat /dev/stdin >/dev/stdout && echo end >/dev/stderr";
  await using process = await bench.start(script, { stdin: "open" });
  await process.write(Buffer.from("hello\n"));
  await process.closeStdin();
  const { output, exit } = await finished(process);
  expect({ lines: output.split("\n").toSorted(), exit }).toEqual({
    lines: ["", "end", "hello"],
    exit: { code: 0 },
  });
});

test("leave nothing on disk", async () => {
  await using folder = await temporaryDirectory();
  using pool = openPool(folder.path);
  const pipe = await pool.take();
  expect(readdirSync(folder.path)).toEqual([]);
  closePipe(pipe!);
});

test("are never given twice, however many ask at once", async () => {
  await using folder = await temporaryDirectory();
  using pool = openPool(folder.path);
  const pipes = await Promise.all(Array.from({ length: 100 }, () => pool.take()));
  const descriptors = pipes.flatMap((pipe) => [pipe?.read, pipe?.write]);
  expect(new Set(descriptors).size).toBe(200);
  pipes.forEach((pipe) => closePipe(pipe as Pipe));
});

test.each([
  ["there is no mkfifo", { path: "/nowhere" }],
  ["there is no folder for them", { directories: ["/nowhere", "/proc"] }],
])("where %s, processes get sockets", async (_, changes) => {
  await using folder = await temporaryDirectory();
  using pool = openPool(folder.path, changes);
  expect(await pool.take()).toBeUndefined();
  await using bench = openBench({ pipes: pool });
  await using process = await bench.start("head -c 300000 | wc -c", { stdin: "open" });
  await process.write(new Uint8Array(300_000));
  expect((await finished(process)).output.trim()).toBe("300000");
});

function openPool(
  directory: string,
  changes: { path?: string; directories?: readonly string[] } = {},
): PipePool {
  return new PipePool({
    directories: ["/nowhere", directory],
    path: process.env["PATH"],
    ...changes,
  });
}

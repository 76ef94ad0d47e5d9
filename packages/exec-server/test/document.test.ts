import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { nextEvent } from "@codex/test-support";
import { expect, onTestFinished, test } from "vitest";
import { serverProgram } from "./client/connections.ts";

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly processId: string;
    readonly stream?: string;
    readonly chunk: string;
  };
}

test("seed K14: the transcript in docs/exec-server.md is what the built server says", async () => {
  const document = readFileSync(new URL("../../../docs/exec-server.md", import.meta.url), "utf8");
  const transcript =
    /^```transcript\n(.*?)^```$/ms.exec(document)?.[1]?.trimEnd().split("\n") ?? [];
  expect(transcript.length).toBeGreaterThan(10);
  const server = spawn(process.execPath, [serverProgram], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  for (const [index, line] of transcript.entries()) {
    const text = line.slice(2);
    if (line.startsWith("> ")) server.stdin.write(`${text}\n`);
    else expect(await nextFrame(lines, text), `line ${index + 1}`).toEqual(JSON.parse(text));
  }
  server.stdin.end();
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});

/** The next frame; pieces of output are joined until there is as much as `expected` holds. */
async function nextFrame(lines: AsyncIterator<string>, expected: string): Promise<Frame> {
  const wanted = bytesOf(JSON.parse(expected) as Frame).length;
  let frame = JSON.parse(await nextEvent(lines, expected)) as Frame;
  while (frame.method === "process/output" && bytesOf(frame).length < wanted) {
    const more = JSON.parse(await nextEvent(lines, `the rest of ${expected}`)) as Frame;
    const chunk = Buffer.concat([bytesOf(frame), bytesOf(more)]).toString("base64");
    frame = { ...frame, params: { ...frame.params, chunk } as NonNullable<Frame["params"]> };
  }
  return frame;
}

function bytesOf({ params }: Frame): Buffer {
  return Buffer.from(params?.chunk ?? "", "base64");
}

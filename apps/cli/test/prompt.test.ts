import { expect, test } from "vitest";
import { readPrompt } from "../src/exec/stdin-prompt.ts";
import type { StandardInputKind } from "../src/standard-input.ts";

interface Given {
  readonly argument?: string;
  readonly kind: StandardInputKind;
  readonly input?: Uint8Array | string;
  readonly maxBytes?: number;
}

async function prompt({ argument, kind, input, maxBytes = 64 }: Given): Promise<unknown> {
  const notices: string[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (input === undefined) await new Promise<never>(() => {});
    else yield Buffer.from(input);
  }
  const text = await readPrompt(argument, {
    stdin: { kind, chunks },
    notice: (notice) => notices.push(notice),
    signal: new AbortController().signal,
    limits: { firstByteMs: 5, silenceMs: 30_000, maxBytes },
  });
  return { text, notices };
}

test.each<[string, Given, unknown]>([
  [
    "an argument and text on a pipe become one prompt",
    { argument: "Sum up", kind: "pipe", input: "a\nb\n" },
    { text: "Sum up\n\n<stdin>\na\nb\n</stdin>", notices: ["read 4 bytes from stdin"] },
  ],
  [
    "text without a line end gets one",
    { argument: "Sum up", kind: "file", input: "a" },
    { text: "Sum up\n\n<stdin>\na\n</stdin>", notices: ["read 1 bytes from stdin"] },
  ],
  [
    "an argument beside an empty pipe stands alone",
    { argument: "go", kind: "pipe", input: "" },
    { text: "go", notices: ["stdin is empty"] },
  ],
  [
    "an argument beside a pipe nobody writes to goes on without it and says so",
    { argument: "go", kind: "pipe" },
    { text: "go", notices: ["nothing on stdin within 5 ms, going on without it"] },
  ],
  [
    "an argument beside a terminal does not read it",
    { argument: "go", kind: "terminal" },
    { text: "go", notices: [] },
  ],
  [
    "an argument beside no input is silent",
    { argument: "go", kind: "none" },
    { text: "go", notices: [] },
  ],
  ["an empty argument is a prompt", { argument: "", kind: "none" }, { text: "", notices: [] }],
  [
    "a cut of long input keeps whole characters",
    { argument: "go", kind: "file", input: "1234567é", maxBytes: 8 },
    {
      text: "go\n\n<stdin>\n1234567\n</stdin>",
      notices: [expect.stringMatching(/^stdin is longer than .* the first 8 bytes$/)],
    },
  ],
  [
    "- is the whole of stdin, verbatim and without a word",
    { argument: "-", kind: "pipe", input: " do it \n" },
    { text: " do it \n", notices: [] },
  ],
  [
    "no argument is the whole of stdin, with a word",
    { kind: "file", input: "do it" },
    { text: "do it", notices: ["Reading prompt from stdin..."] },
  ],
  [
    "- on UTF-16 with its mark is text",
    { argument: "-", kind: "pipe", input: Buffer.from("\ufeffhé", "utf16le") },
    { text: "hé", notices: [] },
  ],
  [
    "the UTF-8 mark is dropped",
    { argument: "-", kind: "pipe", input: "\ufeffhi" },
    { text: "hi", notices: [] },
  ],
])("%s", async (_name, given, expected) => {
  expect(await prompt(given)).toEqual(expected);
});

test.each<[string, Given, string]>([
  [
    "no argument on a terminal",
    { kind: "terminal" },
    "No prompt provided. Either specify one as an argument or pipe the prompt into stdin.",
  ],
  ["blank stdin", { kind: "pipe", input: " \n" }, "No prompt provided via stdin."],
  ["no stdin at all", { kind: "none" }, "No prompt provided via stdin."],
  ["- on no stdin", { argument: "-", kind: "none" }, "No prompt provided via stdin."],
  [
    "bytes that are no text",
    { argument: "-", kind: "pipe", input: Buffer.from([0x61, 0xff]) },
    "Failed to read prompt from stdin: it is neither UTF-8 nor UTF-16 text",
  ],
  [
    "a prompt beyond the bound, which must not be cut silently",
    { argument: "-", kind: "pipe", input: "x".repeat(65) },
    "The prompt on stdin is longer than 0.00006103515625 MiB.",
  ],
])("%s: the run does not start", async (_name, given, message) => {
  await expect(prompt(given)).rejects.toMatchObject({ name: "StartError", exitCode: 2, message });
});

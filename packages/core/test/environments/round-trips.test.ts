import { mkdir, writeFile } from "node:fs/promises";
import { type Environment, exactEnvironment } from "@codex/environment";
import { fullAccess, joinPath, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadProjectDocs } from "../../src/project-doc/read.ts";
import { createListDirTool } from "../../src/tools/list-dir.ts";
import { createReadFileTool } from "../../src/tools/read-file/tool.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { runTool } from "../tools/run-tool.ts";
import { openSlowLink } from "./slow-link.ts";

const delayMs = 25;

describe.each([
  ["tells the kind of an error", false],
  ["does not tell it", true],
])("round trips over a slow link to a v0 server that %s", (_name, isTaciturn) => {
  test("AGENTS.md from a root nine levels above: at most 3", async () => {
    const { link, at } = await open(isTaciturn);
    await write(at("repo/.git/HEAD"), "");
    await write(at("repo/AGENTS.md"), "root rules");
    const cwd = at("repo/1/2/3/4/5/6/7/8/9");
    await write(joinPath(cwd, "AGENTS.md"), "deep rules");
    const docs = await loadProjectDocs({
      fileSystem: link.environment.fileSystem,
      cwd,
      markers: [".git"],
      fallbackFilenames: [],
      maxBytes: 10_000,
    });
    expect(docs.text).toBe("root rules\n\ndeep rules");
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(3);
  });

  test("list_dir: at most the depth + 2", async () => {
    const { link, at } = await open(isTaciturn);
    for (const name of ["a/b/c/d", "e/f/g/h"]) await write(at(name), "");
    const { fileSystem } = link.environment;
    const listed = await run(createListDirTool({ fileSystem }), { dir_path: at("."), depth: 3 });
    expect(listed).toContain("\n    c/");
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(5);
  });

  test("read_file: at most 2", async () => {
    const { link, at } = await open(isTaciturn);
    await write(at("file"), "one\ntwo\n");
    const { fileSystem } = link.environment;
    expect(await run(createReadFileTool({ fileSystem }), { file_path: at("file") })).toBe(
      "L1: one\nL2: two",
    );
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(2);
  });

  test("read_file of a line deep in a large file: one, and each call sees the file anew", async () => {
    const { link, at } = await open(isTaciturn);
    const tool = createReadFileTool({ fileSystem: link.environment.fileSystem });
    for (const letter of ["a", "b"]) {
      await write(at("large"), `${letter.repeat(99)}\n`.repeat(60_000));
      const deep = { file_path: at("large"), offset: 59_999, limit: 1 };
      expect(await run(tool, deep)).toBe(`L59999: ${letter.repeat(99)}`);
      expect(link.takeRoundTrips()).toBe(1);
    }
  });

  test("read_file of what is missing: at most 2", async () => {
    const { link, at } = await open(isTaciturn);
    const { fileSystem } = link.environment;
    expect(await run(createReadFileTool({ fileSystem }), { file_path: at("missing") })).toBe(
      "failed to read file: No such file or directory (os error 2)",
    );
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(2);
  });

  test("a command with output, until all of it is there: at most 3, the first of a connection too", async () => {
    const { link } = await open(isTaciturn);
    expect(await output(link.environment)).toBe("hello\n");
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(3);
  });

  test("what the machine is asked about itself: at most 2, once", async () => {
    const { link } = await open(isTaciturn);
    await link.environment.info();
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(2);
    await link.environment.info();
    expect(link.takeRoundTrips()).toBe(0);
  });
});

describe("round trips over a slow link in the present form of the protocol", () => {
  test("list_dir, however deep: at most 2", async () => {
    const { link, at } = await open(false, "current");
    for (const name of ["a/b/c/d", "e/f/g/h"]) await write(at(name), "");
    const { fileSystem } = link.environment;
    const listed = await run(createListDirTool({ fileSystem }), { dir_path: at("."), depth: 4 });
    expect(listed).toMatch(/\n +d$/m);
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(2);
  });

  test("AGENTS.md from a root nine levels above: at most 2", async () => {
    const { link, at } = await open(false, "current");
    await write(at("repo/.git/HEAD"), "");
    await write(at("repo/AGENTS.md"), "root rules");
    const cwd = at("repo/1/2/3/4/5/6/7/8/9");
    await write(joinPath(cwd, "AGENTS.md"), "deep rules");
    const { fileSystem } = link.environment;
    const limits = { markers: [".git"], fallbackFilenames: [], maxBytes: 10_000 };
    const docs = await loadProjectDocs({ fileSystem, cwd, ...limits });
    expect(docs.text).toBe("root rules\n\ndeep rules");
    expect(link.takeRoundTrips()).toBeLessThanOrEqual(2);
  });

  test("what the machine is asked about itself: none, a command with its output: 1", async () => {
    const { link } = await open(false, "current");
    await link.environment.info();
    expect(link.takeRoundTrips()).toBe(0);
    expect(await output(link.environment)).toBe("hello\n");
    expect(link.takeRoundTrips()).toBe(1);
  });
});

test("the link of these tests is slow: a call takes both ways", async () => {
  const { link, at } = await open(false);
  const before = performance.now();
  await link.environment.fileSystem.getMetadata(at("."));
  expect(performance.now() - before).toBeGreaterThanOrEqual(2 * delayMs - 2);
  expect(link.takeRoundTrips()).toBe(1);
});

async function open(isTaciturn: boolean, dialect: "v0" | "current" = "v0") {
  const folder = await temporaryDirectory();
  const root = toAbsolutePath(folder.path);
  const link = await openSlowLink({ cwd: root, delayMs, isTaciturn, dialect });
  onTestFinished(async () => {
    await link[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return { link, at: (name: string) => joinPath(root, name) };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(joinPath(toAbsolutePath(path), ".."), { recursive: true });
  await writeFile(path, text);
}

async function run(tool: Tool, args: Record<string, unknown>): Promise<unknown> {
  return (await runTool(tool, args)).output;
}

/** What `echo hello` prints, with the variables of the machine. */
async function output(environment: Environment): Promise<string> {
  const env = { ...exactEnvironment({}), inherit: "all" } as const;
  const options = { argv: ["echo", "hello"], cwd: "/", tty: false, stdin: "closed" } as const;
  await using process = await environment.start({ ...options, env, sandbox: fullAccess });
  let text = "";
  for await (const { bytes } of process.output) text += Buffer.from(bytes).toString();
  await process.closed;
  return text;
}

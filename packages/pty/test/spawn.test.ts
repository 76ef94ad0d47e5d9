import { fstatSync, openSync, readdirSync, writeFileSync } from "node:fs";
import type { SandboxIntent } from "@codex/protocol";
import { openSpawnContext, type SandboxWrap, spawnProcess } from "@codex/pty";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { finished, kindOf, next, openBench, shell, tty } from "./bench.ts";

const readOnly: SandboxIntent = { mode: "read-only", networkAccess: false };
const rounds = process.env["CODEX_SOAK"] === "1" ? 1_000 : 60;

describe("a sandbox", () => {
  test("that nothing here enforces is refused, over pipes and on a terminal", async () => {
    await using bench = openBench();
    expect([
      await kindOf(bench.start("true", { sandbox: readOnly })),
      await kindOf(bench.start("true", { sandbox: readOnly, tty })),
    ]).toEqual(["sandboxUnavailable", "sandboxUnavailable"]);
  });

  test.each([
    ["pipes", {}, "not a tty"],
    ["a terminal", { tty }, "/dev/"],
  ])(
    "wraps the command over %s: its own descriptors, its own word about the exit",
    async (_, way, where) => {
      await using folder = await temporaryDirectory();
      writeFileSync(`${folder.path}/data`, "from the sandbox");
      const descriptor = openSync(`${folder.path}/data`, "r");
      const disposals: number[] = [];
      const wrap: SandboxWrap = async ({ argv, plain, intent }) => ({
        ...plain,
        file: "/bin/sh",
        args: ["-c", 'cat <&3; echo; "$@"', intent.mode, ...argv],
        ownSession: true,
        descriptors: [descriptor],
        sandboxed: {
          programGroup: () => undefined,
          explainExit: (exit) => ({ ...exit, sandboxDenied: true }),
          [Symbol.dispose]: () => disposals.push(1),
        },
      });
      await using bench = openBench({ wrap });
      const { output, exit } = await bench.run("tty; exit 4", { sandbox: readOnly, ...way });
      expect(output).toMatch(new RegExp(`^from the sandbox\\r?\\n.*${where}`));
      expect(exit).toEqual({ code: 4, sandboxDenied: true });
      expect(disposals).toEqual([1]);
      expect(() => fstatSync(descriptor)).toThrow("EBADF");
    },
  );
});

test("without a guard and without pipes of its own a process still runs", async () => {
  await using process_ = await spawnProcess(shell("echo plain"), { baseEnvironment: {} });
  expect((await finished(process_)).output).toBe("plain\n");
});

test("a command line too long for the system is refused, and no descriptor stays", async () => {
  await using bench = openBench();
  await bench.run("true");
  for (const way of [{}, { tty }]) {
    const long = { argv: ["sh", "-c", "true", "x".repeat(8_000_000)], ...way };
    expect(await kindOf(bench.start("", long))).toBe("invalidArgument");
  }
  expect((await bench.run("echo after", { tty })).output).toBe("after\r\n");
});

test("what is left of a group after the program's end can still be terminated", async () => {
  await using bench = openBench();
  await using process_ = await bench.start("sleep 600 & echo hi");
  const output = process_.output[Symbol.asyncIterator]();
  expect(await next(output)).toBe("hi\n");
  expect(await process_.exit).toEqual({ code: 0 });
  await process_.terminate();
  expect(await next(output)).toBe("");
  await process_.closed;
});

test.runIf(process.platform === "linux")(
  "terminate reaches the jobs of a shell with job control, which are groups of their own",
  async () => {
    await using bench = openBench();
    const script = "trap '' HUP; set -m; sleep 600 & echo ready; wait";
    await using process_ = await bench.start(script, { tty });
    const output = process_.output[Symbol.asyncIterator]();
    expect(await next(output)).toContain("ready");
    await process_.terminate({ graceMs: 0 });
    while ((await next(output)) !== "");
    await process_.closed;
  },
);

test.runIf(process.platform === "linux")(
  `${rounds} processes of every kind leave no descriptor behind`,
  { timeout: 120_000 },
  async () => {
    const context = openSpawnContext(process.env);
    const before = descriptorCount();
    for (let round = 0; round < rounds; round += 4) {
      await Promise.all([
        spawnProcess(shell("echo hi"), context).then(finished),
        spawnProcess({ ...shell("echo hi"), tty }, context).then(finished),
        spawnProcess({ ...shell("cat"), stdin: "open" }, context).then((cat) =>
          cat[Symbol.asyncDispose](),
        ),
        spawnProcess({ ...shell("cat"), tty }, context).then((cat) => cat[Symbol.asyncDispose]()),
      ]);
    }
    await context[Symbol.asyncDispose]();
    expect(descriptorCount()).toBe(before);
  },
);

function descriptorCount(): number {
  return readdirSync("/proc/self/fd").length;
}

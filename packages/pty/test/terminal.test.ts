import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { ProcessError, type SpawnContext } from "@codex/pty";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { loadNativeTerminal } from "../src/native-terminal.ts";
import { finished, kindOf, next, openBench, tty } from "./bench.ts";

/** Enough to show a loss: with libuv's own reads nearly every run is short. `CODEX_SOAK=1` runs the full count. */
const runs = process.env["CODEX_SOAK"] === "1" ? 1_000 : 96;
const isLinux = process.platform === "linux";

describe.each<[string, Partial<SpawnContext>]>([
  ...(isLinux
    ? ([["setsid", { terminalsBy: "setsid" }]] as [string, Partial<SpawnContext>][])
    : []),
  ["fork", { terminalsBy: "fork" }],
])("a terminal started by %s", (_, changes) => {
  test(
    `${runs} runs of 64 KB and exit, 16 at once: none is short`,
    { timeout: 120_000 },
    async () => {
      await using bench = openBench(changes);
      let left = runs;
      const lengths: number[] = [];
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (left-- > 0)
            lengths.push((await bench.run("head -c 65536 /dev/zero", { tty })).output.length);
        }),
      );
      expect(lengths).toEqual(Array.from({ length: runs }, () => 65_536));
    },
  );

  test("what nobody had pulled yet is still there long after the exit", async () => {
    await using bench = openBench(changes);
    // More than is read ahead: the rest is in the kernel when the program ends.
    await using process = await bench.start("head -c 68000 /dev/zero", { tty });
    await process.exit;
    await bench.run("true", { tty });
    expect((await finished(process)).output.length).toBe(68_000);
  });

  test("256 KB written to a program that does not read: the loop goes on, the end refuses the rest", async () => {
    await using bench = openBench(changes);
    await using process = await bench.start("stty raw -echo; echo ready; sleep 600", { tty });
    expect(await next(process.output[Symbol.asyncIterator]())).toContain("ready");
    const writing = kindOf(process.write(new Uint8Array(256 * 1024)));
    expect((await bench.run("echo the loop goes on")).output).toBe("the loop goes on\n");
    await process.terminate({ graceMs: 0 });
    expect(await writing).toBe("stdinClosed");
  });

  test("a program that reads late gets all of it", async () => {
    await using bench = openBench(changes);
    await using folder = await temporaryDirectory();
    const flag = `${folder.path}/go`;
    const script = `stty raw -echo; echo ready; until [ -e ${flag} ]; do sleep 0.02; done; head -c 262144 | cksum`;
    await using process = await bench.start(script, { tty });
    const output = process.output[Symbol.asyncIterator]();
    expect(await next(output)).toContain("ready");
    const written = Buffer.alloc(256 * 1024, "0123456789abcdef\n");
    const writing = process.write(written);
    writeFileSync(flag, "");
    await writing;
    expect((await next(output)).trim()).toBe(checksum(written));
  });
});

describe.runIf(isLinux)("descriptors", () => {
  test("a sibling of terminals holds none of theirs, over pipes or on a terminal", async () => {
    await using bench = openBench();
    for (let count = 0; count < 5; count += 1) await bench.start("sleep 600", { tty });
    const script = "for fd in /proc/$$/fd/*; do readlink $fd; done; tty";
    const [piped, terminal] = [await bench.run(script), await bench.run(script, { tty })];
    const foreign = /ptmx|pts/;
    expect(piped.output.split("\n").filter((line) => foreign.test(line))).toEqual([]);
    const lines = terminal.output.split("\r\n").filter((line) => foreign.test(line));
    const own = lines.at(-1);
    expect(lines.filter((line) => line !== own)).toEqual([]);
  });
});

describe("without the native binary", () => {
  const missing = (): never => {
    throw new ProcessError("terminalUnavailable", "install it");
  };

  test("everything but a terminal works", async () => {
    await using bench = openBench({ loadNativeTerminal: missing });
    expect((await bench.run("echo works")).output).toBe("works\n");
    expect(await kindOf(bench.start("true", { tty }))).toBe("terminalUnavailable");
  });

  test("the error names the package to install", () => {
    const { arch } = process;
    Object.defineProperty(process, "arch", { value: "z80" });
    try {
      expect(() => loadNativeTerminal()).toThrow(
        expect.objectContaining({
          kind: "terminalUnavailable",
          message: expect.stringContaining(
            `install @lydell/node-pty-${process.platform}-z80@1.1.0`,
          ),
        }),
      );
    } finally {
      Object.defineProperty(process, "arch", { value: arch });
    }
  });
});

function checksum(bytes: Uint8Array): string {
  return execFileSync("cksum", { input: bytes, encoding: "utf8" }).trim();
}

import { fullAccess } from "@codex/protocol";
import {
  defaultTerminalSize,
  exactEnvironment,
  ProcessError,
  type ProcessErrorKind,
  type SpawnedProcess,
  type SpawnOptions,
} from "@codex/pty";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** A side that runs processes, opened anew for each test; disposing it ends them. */
export interface ProcessSide extends AsyncDisposable {
  start(options: SpawnOptions, signal?: AbortSignal): Promise<SpawnedProcess>;
}

/** What a side can do beyond starting, reading and ending a process. The rest must be refused as `unsupported`. */
export interface ProcessOffers {
  readonly resize: boolean;
  readonly closeStdin: boolean;
  /** Pipe processes with an open stdin. */
  readonly stdinPipes: boolean;
  readonly signals: boolean;
  /** `terminate` with a grace period. */
  readonly gracefulTerminate: boolean;
  /** Tells the name of the signal that ended a program. */
  readonly exitSignal: boolean;
  /** What a program leaves behind is ended with it, as in a sandbox. */
  readonly descendantsEndWithIt?: boolean;
  /** Terminals of another size than 24 x 80. Default true. */
  readonly terminalSize?: boolean;
  /** What a descendant writes after the program's end; without it, `closed` follows the exit within a grace period. Default true. */
  readonly lateOutput?: boolean;
  /** Everything travels in one stream: whatever else is asked lets some more of a held-back program's output through. Default false. */
  readonly sharesStream?: boolean;
}

const variables = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/** What every {@link SpawnedProcess} promises, as a suite of tests. Needs a POSIX `sh` on the side. */
export function processContract(
  name: string,
  openSide: () => Promise<ProcessSide>,
  offers: ProcessOffers,
): void {
  describe(name, () => {
    let side: ProcessSide;
    beforeEach(async () => {
      side = await openSide();
    });
    afterEach(() => side[Symbol.asyncDispose]());
    const bench: Bench = {
      offers,
      start: (options, signal) => side.start(options, signal),
      shell: (script, changes) => side.start(shell(script, changes)),
      run: async (script, changes) => finished(await side.start(shell(script, changes))),
    };
    describe("over pipes", () => {
      bothWays(bench, {});
      pipesOnly(bench);
    });
    describe("on a terminal", () => {
      bothWays(bench, { tty: defaultTerminalSize });
      terminalsOnly(bench);
    });
    starting(bench);
  });
}

type Changes = Partial<SpawnOptions>;

interface Bench {
  readonly offers: ProcessOffers;
  readonly start: (options: SpawnOptions, signal?: AbortSignal) => Promise<SpawnedProcess>;
  readonly shell: (script: string, changes?: Changes) => Promise<SpawnedProcess>;
  /** All output and the exit of a script that ends by itself. */
  readonly run: (script: string, changes?: Changes) => Promise<Finished>;
}

function bothWays(bench: Bench, way: Changes): void {
  ending(bench, way);
  afterTheEnd(bench, way);
  reading(bench, way);
  stopping(bench, way);
}

function ending({ offers, shell: start, run }: Bench, way: Changes): void {
  const newline = way.tty ? "\r\n" : "\n";

  test("gives all output and the exit code", async () => {
    expect(await run("echo out; exit 3", way)).toEqual({
      output: `out${newline}`,
      exit: { code: 3 },
    });
  });

  test("a program ended by signal n exits with 128+n and says which", async () => {
    const { exit } = await run("kill -KILL $$", way);
    if (offers.exitSignal) expect(exit).toEqual({ code: 137, signal: "SIGKILL" });
    else expect({ signal: exit.signal, failed: exit.code !== 0 }).toEqual({ failed: true });
  });

  if (offers.descendantsEndWithIt) {
    test("what the program leaves behind is ended with it, and so is the output", async () => {
      const left = "trap '' HUP TERM; setsid sleep 60 & sleep 60 & echo hi";
      expect(await run(left, way)).toEqual({ output: `hi${newline}`, exit: { code: 0 } });
    });
    return;
  }

  test("exit settles when the program ends; output and closed wait for a descendant that still writes", async () => {
    const flag = (await run("mktemp -u")).output.trim();
    const late = `trap '' HUP; (while ! [ -e ${flag} ]; do sleep 0.02; done; rm ${flag}; echo late)`;
    await using process = await start(`${late} & echo hi`, way);
    let isClosed = false;
    void process.closed.then(() => (isClosed = true));
    const output = process.output[Symbol.asyncIterator]();

    expect(await process.exit).toEqual({ code: 0 });
    expect(text(await output.next())).toBe(`hi${newline}`);
    if (offers.lateOutput === false) {
      await process.closed;
      await run(`: > ${flag}`);
      expect(await output.next()).toEqual({ done: true, value: undefined });
      return;
    }
    expect(isClosed).toBe(false);
    await run(`: > ${flag}`);
    expect(text(await output.next())).toBe(`late${newline}`);
    expect(await output.next()).toEqual({ done: true, value: undefined });
    await process.closed;
  });
}

function afterTheEnd({ offers, shell: start }: Bench, way: Changes): void {
  test("input after the end is refused as stdinClosed", async () => {
    await using process = await start("exit 0", way);
    await process.exit;
    await expectRefusal(process.write(bytes("x")), "stdinClosed");
  });

  test("signal and terminate after the end do nothing", async () => {
    await using process = await start("exit 0", way);
    await process.exit;
    if (offers.signals) await process.signal("SIGTERM");
    await process.terminate({ graceMs: 0 });
    expect(await process.exit).toEqual({ code: 0 });
  });
}

function reading({ offers, shell: start, run }: Bench, way: Changes): void {
  test("gives large output whole, in order, in chunks of 1 to 65536 bytes", async () => {
    await using process = await start("seq 1 150000", way);
    const lengths = new Set<number>();
    let output = "";
    for await (const chunk of process.output) {
      lengths.add(chunk.bytes.length);
      output += Buffer.from(chunk.bytes).toString("latin1");
    }
    const lines = output.split(/\r?\n/);
    expect({ count: lines.length, isInOrder: lines.every(isItsNumber) }).toEqual({
      count: 150_001,
      isInOrder: true,
    });
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(65_536);
  });

  test("holds the program back while nobody pulls", async () => {
    const flag = (await run("mktemp -u")).output.trim();
    const total = (offers.sharesStream ? 48 : 16) * 1024 * 1024;
    await using process = await start(`head -c ${total} /dev/zero; : > ${flag}`, way);
    const output = process.output[Symbol.asyncIterator]();
    let received = lengthOf(await output.next());
    for (let round = 0; round < 3; round += 1)
      expect((await run(`[ -e ${flag} ]`)).exit).toEqual({ code: 1 });
    for (let chunk = await output.next(); chunk.done !== true; chunk = await output.next())
      received += chunk.value.bytes.length;
    expect(received).toBe(total);
    expect((await run(`rm ${flag}`)).exit).toEqual({ code: 0 });
  });

  test("leaving the output early lets the program run to its end", async () => {
    await using process = await start("head -c 4000000 /dev/zero; exit 5", way);
    for await (const _ of process.output) break;
    await process.closed;
    expect(await process.exit).toEqual({ code: 5 });
  });

  test("shows the program the name it was given", async () => {
    const { output } = await run("echo $0", { ...way, arg0: "another name" });
    expect(output.trim()).toBe("another name");
  });
}

function stopping({ offers, shell: start }: Bench, way: Changes): void {
  if (offers.gracefulTerminate) {
    test("terminate lets a program finish its work", async () => {
      await using process = await start(
        "trap 'echo bye; exit 7' TERM; echo ready; while :; do :; done",
        way,
      );
      const output = process.output[Symbol.asyncIterator]();
      expect(text(await output.next()).trim()).toBe("ready");
      await process.terminate({ graceMs: 10_000 });
      expect(text(await output.next()).trim()).toBe("bye");
      expect(await process.exit).toEqual({ code: 7 });
    });

    test("terminate kills what is still there after the grace period", async () => {
      await using process = await start("trap '' TERM; echo ready; while :; do sleep 1; done", way);
      await process.output[Symbol.asyncIterator]().next();
      await process.terminate({ graceMs: 30 });
      expect((await process.exit).code).toBe(137);
    });
  } else {
    test("terminate with a grace period is refused", async () => {
      await using process = await start("sleep 60", way);
      await expectRefusal(process.terminate({ graceMs: 100 }), "unsupported");
    });
  }

  test("terminate ends the whole group", async () => {
    await using process = await start("trap '' TERM HUP; sleep 60 & echo ready; wait", way);
    const output = process.output[Symbol.asyncIterator]();
    expect(text(await output.next()).trim()).toBe("ready");
    await process.terminate({ graceMs: 0 });
    expect(await output.next()).toEqual({ done: true, value: undefined });
    await process.closed;
  });

  test("disposing ends the program and drops the rest of its output", async () => {
    const process = await start("head -c 10000000 /dev/zero; sleep 60", way);
    await process[Symbol.asyncDispose]();
    await process.closed;
    expect((await process.exit).code).not.toBe(0);
    await process[Symbol.asyncDispose]();
  });

  if (offers.signals) {
    test("a signal reaches the program", async () => {
      await using process = await start("trap 'exit 9' USR1; echo ready; while :; do :; done", way);
      await process.output[Symbol.asyncIterator]().next();
      await process.signal("SIGUSR1");
      expect(await process.exit).toEqual({ code: 9 });
    });
  } else {
    test("a signal is refused", async () => {
      await using process = await start("sleep 60", way);
      await expectRefusal(process.signal("SIGINT"), "unsupported");
    });
  }
}

function pipesOnly({ offers, shell: start, run }: Bench): void {
  test("tells stdout and stderr apart", async () => {
    await using process = await start("printf out; printf err >&2");
    const output = { stdout: "", stderr: "", pty: "" };
    for await (const chunk of process.output)
      output[chunk.stream] += Buffer.from(chunk.bytes).toString();
    expect(output).toEqual({ stdout: "out", stderr: "err", pty: "" });
  });

  test("with stdin closed the program reads its end and writing is refused", async () => {
    expect(await run("cat; echo end")).toEqual({ output: "end\n", exit: { code: 0 } });
    await using process = await start("sleep 60");
    await expectRefusal(process.write(bytes("x")), "stdinClosed");
  });

  test("has no size", async () => {
    await using process = await start("sleep 60");
    await expectRefusal(process.resize({ rows: 1, columns: 1 }), "unsupported");
  });

  if (!offers.stdinPipes) {
    test("an open stdin is refused", async () => {
      await expectRefusal(start("cat", { stdin: "open" }), "unsupported");
    });
    return;
  }

  test("gives the program what is written", async () => {
    await using process = await start("head -n 1", { stdin: "open" });
    await process.write(bytes("hel"));
    await process.write(bytes("lo\n"));
    expect(await finished(process)).toEqual({ output: "hello\n", exit: { code: 0 } });
  });

  test("an abort gives up a write nobody reads", async () => {
    await using process = await start("sleep 60", { stdin: "open" });
    await expectAbortedWrite(process);
  });

  if (offers.closeStdin) {
    test("closing stdin comes after what was written and ends the program's input", async () => {
      await using process = await start("wc -c", { stdin: "open" });
      await Promise.all([process.write(new Uint8Array(300_000)), process.closeStdin()]);
      await expectRefusal(process.write(bytes("x")), "stdinClosed");
      expect((await finished(process)).output.trim()).toBe("300000");
    });
  } else {
    test("closing stdin is refused", async () => {
      await using process = await start("cat", { stdin: "open" });
      await expectRefusal(process.closeStdin(), "unsupported");
    });
  }
}

function terminalsOnly({ offers, shell: start, run }: Bench): void {
  const hasSize = offers.terminalSize !== false;
  const tty = hasSize ? { rows: 31, columns: 97 } : defaultTerminalSize;

  test("is the program's controlling terminal, of the size asked for", async () => {
    expect(await run("[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size </dev/tty", { tty })).toEqual({
      output: `${tty.rows} ${tty.columns}\r\n`,
      exit: { code: 0 },
    });
  });

  if (!hasSize) {
    test("another size is refused", async () => {
      await expectRefusal(start("true", { tty: { rows: 31, columns: 97 } }), "unsupported");
    });
  }

  test("gives the program what is typed; ^C interrupts it, ^D ends its input", async () => {
    await using cat = await start("stty -echo; echo ready; cat", { tty });
    const output = cat.output[Symbol.asyncIterator]();
    expect(text(await output.next())).toBe("ready\r\n");
    await cat.write(bytes("hello\n\x04"));
    expect(text(await output.next())).toBe("hello\r\n");
    expect(await cat.exit).toEqual({ code: 0 });

    await using sleeper = await start("trap 'exit 6' INT; echo ready; sleep 60 & wait", { tty });
    await sleeper.output[Symbol.asyncIterator]().next();
    await sleeper.write(bytes("\x03"));
    expect(await sleeper.exit).toEqual({ code: 6 });
  });

  test("an abort gives up a write nobody reads", async () => {
    await using process = await start("stty raw -echo; echo ready; sleep 60", { tty });
    await process.output[Symbol.asyncIterator]().next();
    await expectAbortedWrite(process);
  });

  test("its input cannot be closed", async () => {
    await using process = await start("sleep 60", { tty });
    await expectRefusal(process.closeStdin(), "unsupported");
  });

  test("takes a new size, or refuses it", async () => {
    const script = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.02; done";
    await using process = await start(script, { tty });
    const output = process.output[Symbol.asyncIterator]();
    expect(text(await output.next())).toBe("ready\r\n");
    const resized = process.resize({ rows: 40, columns: 120 });
    if (!offers.resize) return expectRefusal(resized, "unsupported");
    await resized;
    expect(text(await output.next())).toBe("40 120\r\n");
    await expectRefusal(process.resize({ rows: 0, columns: 80 }), "invalidArgument");
  });
}

function starting({ start, shell: startShell, run }: Bench): void {
  test.each([
    ["notFound", { argv: ["no-such-program"] }],
    ["notFound", { argv: ["/no/such/program"] }],
    ["permissionDenied", { argv: ["/etc/passwd"] }],
    ["badCwd", { cwd: "/no/such/folder" }],
    ["badCwd", { cwd: "/etc/passwd" }],
    ["invalidArgument", { argv: [] }],
    ["invalidArgument", { argv: ["sh", "\0"] }],
    ["invalidArgument", { tty: { rows: 24, columns: 70_000 } }],
  ] as const)("refuses a start as %s: %o", async (kind, changes) => {
    await expectRefusal(start({ ...shell("true"), ...changes }), kind);
    await expectRefusal(
      start({ ...shell("true", { tty: defaultTerminalSize }), ...changes }),
      kind,
    );
  });

  test("an abort before the start rejects with its reason", async () => {
    const reason = new Error("not any more");
    await expect(start(shell("true"), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("gives exactly the variables of the policy", async () => {
    await using process = await start({
      ...shell(""),
      argv: ["/usr/bin/env"],
      env: exactEnvironment({ ONE: "1", TWO: "a=b c" }),
    });
    const { output } = await finished(process);
    // A sandbox may tell the working directory too.
    const given = output.split("\n").filter((line) => line !== "PWD=/");
    expect(given.toSorted()).toEqual(["", "ONE=1", "TWO=a=b c"]);
  });

  test("runs in the directory asked for", async () => {
    expect((await run("pwd -P", { cwd: "/usr" })).output).toBe("/usr\n");
  });

  test("many at once do not mix", async () => {
    const runs = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await using process = await startShell(
          `echo ${index}; exit ${index}`,
          index % 2 === 0 ? {} : { tty: defaultTerminalSize },
        );
        const { output, exit } = await finished(process);
        return [output.trim(), exit.code];
      }),
    );
    expect(runs).toEqual(runs.map((_, index) => [`${index}`, index]));
  });
}

function shell(script: string, changes: Changes = {}): SpawnOptions {
  return {
    argv: ["sh", "-c", script],
    cwd: "/",
    env: exactEnvironment(variables),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
    ...changes,
  };
}

interface Finished {
  readonly output: string;
  readonly exit: Awaited<SpawnedProcess["exit"]>;
}

async function finished(process: SpawnedProcess): Promise<Finished> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.output) chunks.push(chunk.bytes);
  await process.closed;
  return { output: Buffer.concat(chunks).toString(), exit: await process.exit };
}

async function expectAbortedWrite(process: SpawnedProcess): Promise<void> {
  const reason = new Error("enough");
  const controller = new AbortController();
  const writing = process.write(new Uint8Array(1_000_000).fill(97), controller.signal);
  controller.abort(reason);
  await expect(writing).rejects.toBe(reason);
}

/** Refused with this kind; what an environment does not offer, it refuses by its name. */
async function expectRefusal(call: Promise<unknown>, kind: ProcessErrorKind): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProcessError);
  const { kind: told, message, environment = "" } = error as ProcessError;
  expect({ kind: told, message }).toEqual({
    kind,
    message: kind === "unsupported" ? expect.stringContaining(environment) : expect.any(String),
  });
}

function isItsNumber(line: string, index: number): boolean {
  return line === (index < 150_000 ? `${index + 1}` : "");
}

function bytes(content: string): Uint8Array {
  return Buffer.from(content);
}

type Pulled = IteratorResult<{ readonly bytes: Uint8Array }>;

function text(pulled: Pulled): string {
  return pulled.done === true ? "" : Buffer.from(pulled.value.bytes).toString();
}

function lengthOf(pulled: Pulled): number {
  return pulled.done === true ? 0 : pulled.value.bytes.length;
}

import { readFile } from "node:fs/promises";
import { defaultTerminalSize, type SpawnedProcess } from "@codex/environment";
import { describe, expect, test } from "vitest";
import { hasBubblewrap, hasProgram, identities, openSandboxBench } from "./sandbox-bench.ts";

if (!hasBubblewrap) test.skip("sandboxed work: bwrap is not installed", () => {});

for (const identity of hasBubblewrap ? identities : [])
  describe(`a sandboxed command ${identity.title}`, () => {
    test("git tells the status; a commit is denied and says so; with .git as a root it works", async () => {
      const bench = await openSandboxBench(identity);
      expect(await bench.run("echo new > file && git status --short")).toEqual({
        output: "?? file\n",
        code: 0,
      });
      expect(await bench.run("git add file")).toEqual({
        output: expect.stringMatching(/index\.lock': Read-only file system/),
        code: 128,
      });
      const open = await openSandboxBench(identity, ["work", "work/.git"]);
      const commit =
        "echo new > file && git add file && git commit -qm first && git log --format=%s";
      expect(await open.run(commit)).toEqual({ output: "first\n", code: 0 });
    });

    test("a project's tests run: Node starts Node, listens on the loopback of its own", async () => {
      const { run, root } = await openSandboxBench(identity);
      const suite = `cat > a.test.mjs <<'END'
import { test } from "node:test";
import { spawnSync } from "node:child_process";
import { createServer, connect } from "node:net";
test("a child", () => { if (spawnSync(process.execPath, ["-p", "6*7"]).stdout.toString() !== "42\\n") throw 1; });
test("a server", (_, done) => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1", () =>
    connect(server.address().port, "127.0.0.1").resume().on("end", () => server.close(done)));
});
END
"$NODE" --test-reporter=tap --test a.test.mjs`;
      expect(await run(suite)).toEqual({
        output: expect.stringMatching(/\n# pass 2\n# fail 0\n/),
        code: 0,
      });
      expect(await readFile(`${root}/work/a.test.mjs`, "utf8")).toContain("a child");
    });

    test.skipIf(!hasProgram("python3"))(
      "Python starts children and threads, locks, and writes where it may",
      async () => {
        const { run } = await openSandboxBench(identity);
        const script = `/usr/bin/python3 - <<'END'
import multiprocessing, subprocess, threading
print(subprocess.check_output(["echo", "child"], text=True).strip())
lock = multiprocessing.Lock()
with lock: open("made", "w").write("by python")
thread = threading.Thread(target=lambda: print("thread")); thread.start(); thread.join()
END
cat made`;
        expect(await run(script)).toEqual({ output: "child\nthread\nby python", code: 0 });
      },
    );

    test("/dev/null, /dev/tty, here documents and temporary files in the workspace work", async () => {
      const { run } = await openSandboxBench(identity);
      const script =
        'TMPDIR=$PWD; export TMPDIR; f=$(mktemp) && cat > "$f" <<END\nheld\nEND\ncat "$f" > /dev/null; cat "$f" | tee /dev/tty';
      expect(await run(script, { tty: defaultTerminalSize })).toEqual({
        output: "held\r\nheld\r\n",
        code: 0,
      });
    });

    test.skipIf(!hasProgram("bash"))(
      "an interactive shell has job control: ^Z stops, fg goes on and reads, ^C interrupts",
      async () => {
        const { start } = await openSandboxBench(identity);
        await using shell = await start("", {
          argv: ["bash", "--norc", "--noprofile", "-i"],
          tty: { rows: 24, columns: 200 },
        });
        const screen = new Screen(shell);
        await screen.type(
          "sh -c 'echo u\"\"p; read line; echo got $line; exec sleep 99'\n",
          /up\r\n/,
        );
        await screen.type("\x1a", /\[1\]\+ +Stopped/);
        await screen.type("jobs\n", /\[1\]\+ +Stopped/);
        await screen.type("fg\n", /sleep 99'\r\n/);
        await screen.type("typed\n", /got typed\r\n/);
        await screen.type("\x03", /\^C/);
        await screen.type("echo code $?\n", /code 130/);
        await shell.resize({ rows: 30, columns: 111 });
        await screen.type("stty size\n", /30 111/);
        await screen.type("exit 7\n", /exit/);
        expect(await shell.exit).toEqual({ code: 7 });
      },
    );

    test("a program that catches the interrupt ends as it wants, over pipes too", async () => {
      const { start } = await openSandboxBench(identity);
      await using program = await start(
        "trap 'echo caught; exit 5' INT; echo ready; while :; do :; done",
      );
      const screen = new Screen(program);
      await screen.until(/ready/);
      await program.signal("SIGINT");
      await screen.until(/caught/);
      expect(await program.exit).toEqual({ code: 5 });
    });

    test("a failure of the program's own stays its own", async () => {
      const { run } = await openSandboxBench(identity);
      expect(await run("echo no >&2; exit 42")).toEqual({ output: "no\n", code: 42 });
    });
  });

class Screen {
  readonly #process: SpawnedProcess;
  readonly #output: AsyncIterator<{ readonly bytes: Uint8Array }>;
  #text = "";

  constructor(process: SpawnedProcess) {
    this.#process = process;
    this.#output = process.output[Symbol.asyncIterator]();
  }

  /** Types and waits for what follows. */
  async type(keys: string, expected: RegExp): Promise<void> {
    await this.#process.write(Buffer.from(keys));
    await this.until(expected);
  }

  /** Reads until what was not yet looked at matches. */
  async until(expected: RegExp): Promise<void> {
    for (;;) {
      const found = expected.exec(this.#text);
      if (found !== null) {
        this.#text = this.#text.slice(found.index + found[0].length);
        return;
      }
      const { done, value } = await this.#output.next();
      if (done === true) throw new Error(`the output ended without ${expected}: ${this.#text}`);
      this.#text += Buffer.from(value.bytes).toString();
    }
  }
}

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { defaultTerminalSize, type SpawnedProcess } from "@codex/environment";
import { fullAccess } from "@codex/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  hasBubblewrap,
  hasProgram,
  identities,
  gone,
  openSandboxBench,
  type SandboxBench,
} from "./sandbox-bench.ts";

const readOnly = /Read-only file system/;
const notPermitted = /Operation not permitted|EPERM/;

/** Scripts that try to change `$OUT/file` or something else of the machine's, and what they are told. */
const fileEscapes: readonly (readonly [title: string, script: string, told: RegExp])[] = [
  [
    "a remount of the whole",
    "mount -o remount,bind,rw / && echo x > $OUT/file",
    /must be superuser|permission denied|not permitted/,
  ],
  [
    "a remount in a user namespace of its own",
    "unshare --user --map-root-user --mount sh -c 'mount -o remount,bind,rw / && echo x > $OUT/file'",
    /permission denied|not permitted/,
  ],
  [
    "taking off what covers .git, in a user namespace of its own",
    "unshare --user --map-root-user --mount sh -c 'umount .git && echo x > .git/config'",
    /invalid argument|not permitted|not mounted|permission denied/i,
  ],
  ["a path with ..", "echo x > ../outside/file", readOnly],
  ["a link that leads out", "ln -s ../outside out && echo x > out/file", readOnly],
  ["another name for .git", "mv .git elsewhere", /busy/],
  ["a link in the place of .git", "rm -r .git; ln -sfn /tmp .git", readOnly],
  ["a missing .codex", "mkdir .codex || echo x > .codex/config.toml", readOnly],
  ["the kernel's settings", ": >> /proc/sys/kernel/core_pattern", /Read-only|Permission denied/],
  ["control groups", ": >> /sys/fs/cgroup/cgroup.procs", /Read-only|Permission denied|No such/],
  ["a device", "mknod disk b 8 0", notPermitted],
  ["the world of process 1", "echo x > /proc/1/root$OUT/file", /Read-only|Permission denied/],
];

/** Perl has the system calls that no other program of a small system offers. */
const callEscapes: readonly (readonly [title: string, script: string])[] = [
  [
    "ptrace of a sibling",
    'sleep 30 & perl -e \'print syscall(101, 16, $ARGV[0], 0, 0) < 0 ? "$!" : "attached"\' $!; kill $!',
  ],
  [
    "reading a sibling's memory",
    'sleep 30 & perl -e \'print syscall(310, $ARGV[0], 0, 0, 0, 0, 0) < 0 ? "$!" : "read"\' $!; kill $!',
  ],
  ["io_uring", 'perl -e \'$p = "\\0" x 120; print syscall(425, 4, $p) < 0 ? "$!" : "made"\''],
  [
    "a unix socket",
    'perl -MSocket -e \'print socket(S, AF_UNIX, SOCK_STREAM, 0) ? "made" : "$!"\'',
  ],
  [
    // Without exec the capabilities of the new namespace stay, and user 0 is still the machine's to /proc/sys.
    "a new /proc in a user namespace of its own",
    'perl -e \'syscall(272, 0x30020000); if ($p = fork) { wait; exit } $t = "proc\\0"; $d = "/mnt\\0"; print syscall(165, $t, $d, $t, 0, 0) < 0 ? "$!" : "made"\'',
  ],
];

if (!hasBubblewrap) test.skip("escapes: bwrap is not installed", () => {});
else if (identities.length < 2)
  test.skip("escapes as root and as an ordinary user: root and setpriv are needed for both", () => {});

for (const identity of hasBubblewrap ? identities : [])
  describe(`a sandboxed command ${identity.title} does not get out by`, () => {
    test.each(fileEscapes)("%s", async (_, script, told) => {
      const { run, root } = await openSandboxBench(identity);
      const { output, code } = await run(`OUT=${root}/outside; export OUT; ${script}`);
      expect({ output, failed: code !== 0 }).toEqual({
        output: expect.stringMatching(told),
        failed: true,
      });
      expect(await readFile(`${root}/outside/file`, "utf8")).toBe("untouched");
      const work = (await readdir(`${root}/work`)).filter((name) => name !== "out");
      expect(work).toEqual([".git"]);
    });

    describe.skipIf(process.arch !== "x64" || !hasProgram("perl"))("a system call", () => {
      test.each(callEscapes)("%s", async (_, script) => {
        const { run } = await openSandboxBench(identity);
        expect((await run(script)).output).toBe("Operation not permitted");
      });

      test("pushing input into its own terminal", async () => {
        const { run } = await openSandboxBench(identity);
        const script = 'perl -e \'$c = "x"; print ioctl(STDIN, 0x5412, $c) ? "pushed" : "$!"\'';
        expect(await run(script, { tty: defaultTerminalSize })).toEqual({
          output: "Operation not permitted",
          code: 0,
        });
      });
    });

    test("another terminal", async () => {
      const { start, run } = await openSandboxBench(identity);
      await using other = await start("tty; cat", {
        tty: defaultTerminalSize,
        sandbox: fullAccess,
      });
      const output = other.output[Symbol.asyncIterator]();
      const name = text(await output.next()).trim();
      expect(await run(`echo x > ${name}`)).toEqual({
        output: expect.stringMatching(/nonexistent|No such file|Permission denied/),
        code: 2,
      });
      await other.write(Buffer.from("end\n\x04"));
      expect(text(await output.next())).toMatch(/^end/);
    });

    test("seeing or ending a process of the machine", async () => {
      const { run } = await openSandboxBench(identity);
      const script = `exec 2>&1; kill -9 ${process.pid}; ls /proc | grep -c '^[0-9]'`;
      const { output } = await run(script);
      expect(output).toMatch(/No such process[^]*\n[3-6]\n$/);
    });

    test("a unix socket on the disk", async () => {
      const { run, root } = await openSandboxBench(identity);
      const server = await listening((made) => made.listen(join(root, "outside/socket")));
      expect(await connectFrom(run, { path: join(root, "outside/socket") })).toBe("EPERM");
      expect(server.connections).toBe(0);
    });

    test("TCP", async () => {
      const { run } = await openSandboxBench(identity);
      const server = await listening((made) => made.listen(0, "127.0.0.1"));
      const { port } = server.server.address() as AddressInfo;
      expect(await connectFrom(run, { port, host: "127.0.0.1" })).toBe("ECONNREFUSED");
      expect(server.connections).toBe(0);
    });

    test("UDP", async () => {
      const { run } = await openSandboxBench(identity);
      const receiver = createSocket("udp4").bind(0, "127.0.0.1");
      onTestFinished(() => void receiver.close());
      await once(receiver, "listening");
      const { port } = receiver.address();
      const first = once(receiver, "message");
      const script = `const s = require("dgram").createSocket("udp4");
        s.send("out", ${port}, "127.0.0.1", (error) => { s.close(); console.log(error?.code ?? "sent"); });`;
      expect((await run(node(script))).code).toBe(0);
      const sender = createSocket("udp4");
      sender.send("end", port, "127.0.0.1", () => sender.close());
      expect(String((await first)[0])).toBe("end");
    });

    test("DNS", async () => {
      const { run } = await openSandboxBench(identity);
      const script = 'require("dns").lookup("example.com", (error) => console.log(error?.code))';
      expect((await run(node(script))).output).toMatch(/^(EAI_AGAIN|ENOTFOUND)\n$/);
    });

    test("a daemon that outlives it", async () => {
      const { run, root } = await openSandboxBench(identity);
      const marker = `${root}/daemon`;
      const daemon = `setsid sh -c 'trap "" HUP TERM; while :; do sleep 1; done' ${marker} >/dev/null 2>&1 &`;
      expect(await run(`${daemon} echo left`)).toEqual({ output: "left\n", code: 0 });
      await gone(marker);
    });
  });

type Run = SandboxBench["run"];

function node(script: string): string {
  return `"$NODE" -e '${script}'`;
}

async function connectFrom(run: Run, address: object): Promise<string> {
  const script = `const s = require("net").connect(${JSON.stringify(address)});
    s.on("connect", () => { console.log("connected"); s.end(); }); s.on("error", (e) => console.log(e.code));`;
  return (await run(node(script))).output.trim();
}

async function listening(listen: (server: Server) => unknown) {
  const state = { server: createServer(), connections: 0 };
  state.server.on("connection", (socket) => {
    state.connections += 1;
    socket.destroy();
  });
  listen(state.server);
  onTestFinished(() => void state.server.close());
  await once(state.server, "listening");
  return state;
}

type Pulled = Awaited<
  ReturnType<ReturnType<SpawnedProcess["output"][typeof Symbol.asyncIterator]>["next"]>
>;

function text(pulled: Pulled): string {
  return pulled.done === true ? "" : Buffer.from(pulled.value.bytes).toString();
}

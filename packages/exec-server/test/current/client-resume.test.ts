import { readFile, writeFile } from "node:fs/promises";
import {
  type ConnectionChange,
  type Environment,
  exactEnvironment,
  type OutputChunk,
  type SpawnOptions,
} from "@codex/environment";
import {
  connectWebSocket,
  createExecServerEnvironment,
  type RemoteExecServerConnectArgs,
} from "@codex/exec-server";
import { type AbsolutePath, fullAccess, joinPath, toAbsolutePath } from "@codex/protocol";
import {
  type CuttingProxy,
  startCuttingProxy,
  temporaryDirectory,
  within,
} from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ServerProcess, startServer } from "../client/connections.ts";
import { rejectionOf } from "../client/fake-server.ts";

/** Delays of these tests: an attempt every 10 ms, given up after half a second. */
const reconnect = { retryDelayMs: 10, giveUpAfterMs: 500 };

describe("output over a link that is cut", () => {
  test("20 cuts while 8 MiB are printed: complete and in order", async () => {
    const { environment, proxy, changes } = await open();
    await using process = await environment.start(shell("seq 1 1200000"));
    let cuts = 0;
    let nextCutAt = 0;
    const text = await textOf(process.output, () => {
      if (cuts === 20 || proxy.bytesFromServer < nextCutAt) return;
      cuts += 1;
      nextCutAt = proxy.bytesFromServer + 256 * 1024;
      proxy.cut();
    });
    expect({ cuts, isComplete: text === numbersTo(1_200_000) }).toEqual({
      cuts: 20,
      isComplete: true,
    });
    expect(await process.exit).toEqual({ code: 0 });
    await process.closed;
    expect(changes.filter(({ state }) => state === "resumed").length).toBe(20);
  }, 20_000);

  test("a process that prints and ends while nobody is connected has lost nothing", async () => {
    const { environment, proxy, at } = await open();
    await using gate = await environment.start(shell("mkfifo go", at("")));
    await gate.exit;
    await using process = await environment.start(
      shell("echo before; read -r line < go; seq 1 1000; exit 7", at("")),
    );
    const output = process.output[Symbol.asyncIterator]();
    const first = await output.next();
    proxy.refuse(true);
    proxy.cut();
    // The write ends when the process has opened the other side; the attempts to resume come later.
    await writeFile(at("go"), "go\n");
    proxy.refuse(false);
    const rest = await textOf({ [Symbol.asyncIterator]: () => output });
    expect(Buffer.from(first.value?.bytes ?? []).toString() + rest).toBe(
      `before\n${numbersTo(1000)}`,
    );
    expect(await process.exit).toEqual({ code: 7 });
  });
});

describe("a change whose answer a cut has taken", () => {
  test("a start: its process runs once, and goes on as if nothing had been", async () => {
    const { environment, proxy, at } = await open();
    const cut = proxy.cutAt({ direction: "toServer", text: "process/start", when: "after" });
    await using process = await environment.start(shell("echo ran >> count; cat count", at("")));
    await cut;
    expect(await textOf(process.output)).toBe("ran\n");
    expect(await process.exit).toEqual({ code: 0 });
    expect(await readFile(at("count"), "utf8")).toBe("ran\n");
  });

  test("a start that did not arrive: outcome unknown, and nothing runs", async () => {
    const { environment, proxy, at } = await open();
    const cut = proxy.cutAt({ direction: "toServer", text: "process/start", when: "before" });
    const failure = await rejectionOf(environment.start(shell("touch ran", at(""))));
    await cut;
    expect(failure).toMatchObject({
      name: "ProcessError",
      kind: "outcomeUnknown",
      environment: "far",
      message: expect.stringContaining("outcome unknown"),
    });
    await using after = await environment.start(shell("ls", at("")));
    expect(await textOf(after.output)).toBe("");
  });

  test.each(["before", "after"] as const)("a write, cut %s it arrives: once", async (when) => {
    const { environment, proxy } = await open();
    const options = { ...shell("cat"), stdin: "open" } as const;
    await using process = await environment.start(options);
    const cut = proxy.cutAt({ direction: "toServer", text: "process/write", when });
    await process.write(Buffer.from("once\n"));
    await cut;
    await process.closeStdin();
    expect(await textOf(process.output)).toBe("once\n");
  });

  test.each(["before", "after"] as const)(
    "a file change, cut %s it arrives: outcome unknown, never twice, and the next call works",
    async (when) => {
      const { environment, proxy, at } = await open();
      const { fileSystem } = environment;
      await fileSystem.writeFile(at("old"), Buffer.from("old"));
      for (const [method, change] of [
        ["fs/writeFile", () => fileSystem.writeFile(at("new"), Buffer.from("new"))],
        ["fs/remove", () => fileSystem.remove(at("old"), { force: false })],
      ] as const) {
        const cut = proxy.cutAt({ direction: "toServer", text: method, when });
        const failure = await rejectionOf(change());
        await cut;
        expect(failure).toMatchObject({
          name: "FileSystemError",
          kind: "outcomeUnknown",
          environment: "far",
          message: expect.stringContaining(`the answer to ${method} came`),
        });
      }
      const left = (await fileSystem.readDirectory(at(""))).map(({ fileName }) => fileName);
      expect(left).toEqual(when === "after" ? ["new"] : ["old"]);
    },
  );

  test("a file that is read is read again", async () => {
    const { environment, proxy, at } = await open();
    await writeFile(at("file"), "text");
    const cut = proxy.cutAt({ direction: "toServer", text: "fs/readFile", when: "after" });
    expect(Buffer.from(await environment.fileSystem.readFile(at("file"))).toString()).toBe("text");
    await cut;
  });
});

describe("a link that does not come back", () => {
  test("is given up when the time is over, with the last reason; calls wait until then", async () => {
    const { environment, proxy, changes, at } = await open();
    await using process = await environment.start(shell("sleep 60"));
    proxy.refuse(true);
    proxy.cut();
    const calls = [process.exit, process.closed, environment.fileSystem.readFile(at("file"))];
    const failures = await within(Promise.all(calls.map(rejectionOf)), "the end", 3_000);
    const message = expect.stringMatching(
      /^environment `far` is lost: exec-server transport closed and could not be resumed: .*failed to connect/,
    );
    for (const failure of failures) expect(failure).toMatchObject({ kind: "lost", message });
    expect(changes.map(({ state }) => state)).toEqual(["lost", "gaveUp"]);
  });

  test("a server that was started anew on the port is recognised: its processes are lost at once", async () => {
    const { environment, server, changes } = await open({ giveUpAfterMs: 10_000 });
    await using process = await environment.start(shell("sleep 60"));
    const exit = rejectionOf(process.exit);
    const { port } = new URL(server.url);
    await server[Symbol.asyncDispose]();
    await using again = await startServer(["--listen", `ws://127.0.0.1:${port}`]);
    expect(new URL(again.url).port).toBe(port);
    expect(await within(exit, "the end", 5_000)).toMatchObject({
      kind: "lost",
      message: expect.stringContaining("the server was started anew"),
    });
    expect(changes.map(({ state }) => state)).toEqual(["lost", "gaveUp"]);
  });

  test("a server that was frozen is found when it goes on: the process and its output are there", async () => {
    const times = { giveUpAfterMs: 10_000, pingIntervalMs: 250, connectTimeoutMs: 300 };
    const { environment, server, changes, lost } = await open(times);
    await using process = await environment.start({ ...shell("cat; echo end"), stdin: "open" });
    server.child.kill("SIGSTOP");
    await within(lost, "the loss", 5_000);
    server.child.kill("SIGCONT");
    await process.write(Buffer.from("after\n"));
    await process.closeStdin();
    expect(await textOf(process.output)).toBe("after\nend\n");
    expect(changes.map(({ state }) => state)).toEqual(["lost", "resumed"]);
  });

  test("a server that keeps no sessions is not waited for", async () => {
    const { environment, proxy, changes } = await open({ graceSec: 0, giveUpAfterMs: 10_000 });
    await using process = await environment.start(shell("sleep 60"));
    proxy.cut();
    expect(await within(rejectionOf(process.exit), "the end")).toMatchObject({ kind: "lost" });
    expect(changes.map(({ state }) => state)).toEqual(["gaveUp"]);
  });

  test("disposing while it is cut ends the attempts", async () => {
    const { environment, proxy } = await open({ giveUpAfterMs: 60_000 });
    proxy.refuse(true);
    proxy.cut();
    await within(Promise.resolve(environment[Symbol.asyncDispose]()), "the end", 3_000);
    const { connections } = proxy;
    proxy.refuse(false);
    expect(proxy.connections).toBe(connections);
  });
});

interface Opened {
  readonly environment: Environment;
  readonly proxy: CuttingProxy;
  readonly server: ServerProcess;
  readonly changes: ConnectionChange[];
  /** Settles at the first cut. */
  readonly lost: Promise<void>;
  readonly at: (name: string) => AbsolutePath;
}

interface Times extends Partial<RemoteExecServerConnectArgs> {
  readonly giveUpAfterMs?: number;
  readonly graceSec?: number;
}

/** Our client, our server as a process, and between them a proxy that can be cut. */
async function open({ giveUpAfterMs, graceSec, ...args }: Times = {}): Promise<Opened> {
  const server = await startServer(
    graceSec === undefined ? [] : ["--session-grace-sec", String(graceSec)],
  );
  const proxy = await startCuttingProxy(server.url);
  const folder = await temporaryDirectory();
  const client = await connectWebSocket({
    websocketUrl: proxy.url,
    reconnect: { ...reconnect, ...(giveUpAfterMs !== undefined && { giveUpAfterMs }) },
    ...args,
  });
  const cwd = toAbsolutePath(folder.path);
  const environment = createExecServerEnvironment(client, { name: "far", cwd });
  const changes: ConnectionChange[] = [];
  const lost = new Promise<void>((resolve) => {
    environment.onConnectionChange?.((change) => {
      changes.push(change);
      resolve();
    });
  });
  onTestFinished(async () => {
    server.child.kill("SIGCONT");
    await environment[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const at = (name: string) => joinPath(cwd, name);
  return { environment, proxy, server, changes, lost, at };
}

function shell(script: string, cwd: string = "/"): SpawnOptions {
  return {
    argv: ["sh", "-c", script],
    cwd,
    env: exactEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin" }),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  };
}

async function textOf(
  output: AsyncIterable<OutputChunk>,
  onChunk: () => void = () => undefined,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of output) {
    pieces.push(bytes);
    onChunk();
  }
  return Buffer.concat(pieces).toString();
}

function numbersTo(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join("");
}

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { attempt, clientFor } from "./test-provider.ts";

// A thread of its own, so that only our ends of the connections are in this one's event loop.
const serverSource = `
  const http = require("node:http");
  const { parentPort, workerData } = require("node:worker_threads");
  const server = http.createServer((request, response) => {
    request.resume();
    response.write('data: {"type":"response.completed","response":{"id":"r"}}\\n\\n');
    if (workerData.ends) response.end();
    response.once("close", () => parentPort.postMessage("closed"));
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

test.each([
  ["keeps its answer open after response.completed", false],
  ["ends its answer and keeps the connection", true],
])("a server that %s does not keep this process alive", async (_what, ends) => {
  const worker = new Worker(serverSource, { eval: true, workerData: { ends } });
  const [port] = (await once(worker, "message")) as [number];
  const client = clientFor(`http://127.0.0.1:${port}/v1`);
  const closed = once(worker, "message");
  const before = openSockets();
  expect((await attempt(client)).error).toBeUndefined();
  if (ends) await closed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(openSockets()).toBe(before);
  // An answer that stays open is given up after a second.
  await closed;
  await client[Symbol.asyncDispose]();
  await worker.terminate();
});

test("disposing ends the connections that are kept", async () => {
  const worker = new Worker(
    serverSource
      .replace('"closed"', '"answered"')
      .replace(
        "server.listen",
        `server.on("connection", (socket) => socket.once("close", () => parentPort.postMessage("gone")));server.listen`,
      ),
    { eval: true, workerData: { ends: true } },
  );
  const [port] = (await once(worker, "message")) as [number];
  const client = clientFor(`http://127.0.0.1:${port}/v1`);
  await attempt(client);
  expect(await once(worker, "message")).toEqual(["answered"]);
  await client[Symbol.asyncDispose]();
  expect(await once(worker, "message")).toEqual(["gone"]);
  await worker.terminate();
});

/** Sockets that keep the event loop running. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
}

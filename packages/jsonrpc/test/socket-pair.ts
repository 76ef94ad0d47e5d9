import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** Two ends of one connection over loopback. */
export async function createSocketPair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const left = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const [[right]] = (await Promise.all([once(server, "connection"), once(left, "connect")])) as [
    [Socket],
    unknown,
  ];
  server.close();
  return [left, right];
}

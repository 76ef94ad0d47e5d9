import {
  connectWebSocket,
  createLineTransport,
  createTransportPair,
  listenWebSocket,
} from "../src/index.ts";
import { describeTransport, type TransportPair } from "../testing/index.ts";
import { createSocketPair } from "./socket-pair.ts";

describeTransport("lines over a socket", async () => {
  const [left, right] = await createSocketPair();
  return pairOf(
    createLineTransport({ readable: left, writable: left, label: "left" }),
    createLineTransport({ readable: right, writable: right, label: "right" }),
  );
});

describeTransport("websocket", async () => {
  const listener = await listenWebSocket({ host: "127.0.0.1", port: 0 });
  const left = await connectWebSocket({ url: listener.url });
  const accepted = await listener.connections[Symbol.asyncIterator]().next();
  if (accepted.done === true) throw new Error("listener ended");
  return pairOf(left, accepted.value, listener);
});

describeTransport("websocket, seen from the server", async () => {
  const listener = await listenWebSocket({ host: "127.0.0.1", port: 0 });
  const right = await connectWebSocket({ url: listener.url });
  const accepted = await listener.connections[Symbol.asyncIterator]().next();
  if (accepted.done === true) throw new Error("listener ended");
  return pairOf(accepted.value, right, listener);
});

describeTransport("in memory", async () => {
  const [left, right] = createTransportPair();
  return pairOf(left, right);
});

function pairOf(
  left: TransportPair["left"],
  right: TransportPair["right"],
  listener?: AsyncDisposable,
): TransportPair {
  return {
    left,
    right,
    async [Symbol.asyncDispose]() {
      await Promise.all([left[Symbol.asyncDispose](), right[Symbol.asyncDispose]()]);
      await listener?.[Symbol.asyncDispose]();
    },
  };
}

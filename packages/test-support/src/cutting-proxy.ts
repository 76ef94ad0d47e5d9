import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What a proxy may do once, when a piece of text goes by. */
export interface CutRule {
  readonly direction: "toServer" | "toClient";
  /** Looked for in the bytes as they come; a client's frames are unmasked first. */
  readonly text: string;
  /** `before`: what holds the text does not get through. `after`: it does, and what comes next does not. */
  readonly when: "before" | "after";
}

/** A TCP proxy on loopback that a test cuts. Disposing closes it and every connection through it. */
export interface CuttingProxy extends AsyncDisposable {
  /** As the upstream's, with the proxy's port. */
  readonly url: string;
  /** Connections taken so far. */
  readonly connections: number;
  /** Ends every connection without a word, on both sides. */
  cut(): void;
  /** Cuts at this piece of text, once. Settles when it has. */
  cutAt(rule: CutRule): Promise<void>;
  /** While it refuses, a new connection is ended at once. */
  refuse(isRefusing: boolean): void;
  /** Bytes that came from the server, over all connections. */
  readonly bytesFromServer: number;
}

interface Armed {
  readonly rule: CutRule;
  readonly done: () => void;
}

export async function startCuttingProxy(upstreamUrl: string): Promise<CuttingProxy> {
  const upstream = new URL(upstreamUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const state = { connections: 0, isRefusing: false, bytesFromServer: 0 };
  let armed: Armed | undefined;
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const pass = (direction: CutRule["direction"], bytes: Buffer, to: Socket): void => {
    if (direction === "toClient") state.bytesFromServer += bytes.length;
    const text = direction === "toServer" ? unmasked(bytes) : bytes.toString("latin1");
    const hit = armed?.rule.direction === direction && text.includes(armed.rule.text);
    if (!hit) return void to.write(bytes);
    const { rule, done } = armed as Armed;
    armed = undefined;
    if (rule.when === "before") cut();
    // What was written reaches the other side before the end of the connection does.
    else to.end(bytes, cut);
    done();
  };
  const server = createServer((client) => {
    state.connections += 1;
    if (state.isRefusing) return void client.destroy();
    const far = connect({ host: upstream.hostname, port: Number(upstream.port) });
    const pair = [client, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    client.on("data", (bytes) => pass("toServer", bytes, far));
    far.on("data", (bytes) => pass("toClient", bytes, client));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    get connections() {
      return state.connections;
    },
    get bytesFromServer() {
      return state.bytesFromServer;
    },
    cut,
    cutAt: (rule) => new Promise<void>((done) => (armed = { rule, done })),
    refuse: (isRefusing) => void (state.isRefusing = isRefusing),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

/** The text of the first frame in what a websocket client sent at once: its payload is masked. */
function unmasked(bytes: Buffer): string {
  const texts: string[] = [];
  for (let at = 0; at + 6 <= bytes.length;) {
    if (((bytes[at + 1] ?? 0) & 0x80) === 0) return bytes.toString("latin1");
    let length = (bytes[at + 1] ?? 0) & 0x7f;
    let header = 2;
    if (length === 126) {
      length = bytes.readUInt16BE(at + 2);
      header = 4;
    } else if (length === 127) {
      length = Number(bytes.readBigUInt64BE(at + 2));
      header = 10;
    }
    const mask = bytes.subarray(at + header, at + header + 4);
    const payload = Buffer.from(bytes.subarray(at + header + 4, at + header + 4 + length));
    for (let i = 0; i < payload.length; i += 1) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
    texts.push(payload.toString("latin1"));
    at += header + 4 + length;
  }
  return texts.join("");
}

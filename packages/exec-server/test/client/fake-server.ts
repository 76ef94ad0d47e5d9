import { createTransportPair, type IncomingMessage, type Transport } from "@codex/jsonrpc";
import {
  execServerV0,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from "@codex/protocol";
import { nextEvent } from "@codex/test-support";
import { ExecServerClient, type ExecServerClientConnectOptions } from "@codex/exec-server";

/** The server's end of a connection, played by a test: it sees every frame and says what the test wants. */
export class FakeServer implements AsyncDisposable {
  /** The end to connect to. */
  readonly clientTransport: Transport;
  readonly #transport: Transport;
  readonly #messages: AsyncIterator<IncomingMessage>;

  constructor([client, server]: readonly [Transport, Transport] = createTransportPair()) {
    this.clientTransport = client;
    this.#transport = server;
    this.#messages = server.messages[Symbol.asyncIterator]();
  }

  /** The next frame, whatever it is. */
  async frame(): Promise<IncomingMessage> {
    return nextEvent(this.#messages, "a frame of the client");
  }

  /** The next frame, which must be a request for `method`. */
  async request(method: string): Promise<JsonRpcRequest> {
    const frame = await this.frame();
    if ("method" in frame && "id" in frame && frame.method === method) return frame;
    throw new Error(`expected the request ${method}, got ${JSON.stringify(frame)}`);
  }

  async notification(method: string): Promise<JsonRpcNotification> {
    const frame = await this.frame();
    if ("method" in frame && !("id" in frame) && frame.method === method) return frame;
    throw new Error(`expected the notification ${method}, got ${JSON.stringify(frame)}`);
  }

  send(message: JsonRpcMessage): Promise<void> {
    return this.#transport.send(message);
  }

  answer({ id }: JsonRpcRequest, result: unknown): Promise<void> {
    return this.send({ id, result });
  }

  refuse({ id }: JsonRpcRequest, code: number, message: string, data?: unknown): Promise<void> {
    return this.send({
      id,
      error: data === undefined ? { code, message } : { code, message, data },
    });
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.send({ method, params });
  }

  output(processId: string, text: string, stream = "stdout"): Promise<void> {
    const chunk = Buffer.from(text).toString("base64");
    return this.notify("process/output", { processId, stream, chunk });
  }

  exited(processId: string, exitCode = 0): Promise<void> {
    return this.notify("process/exited", { processId, exitCode });
  }

  /** Answers the read a client asks with once a process has exited; `lastSeq` is the number of its last chunk. */
  async settleExit(lastSeq: number, exitCode = 0): Promise<void> {
    const read = await this.request("process/read");
    await this.answer(read, { chunks: [], nextSeq: lastSeq + 1, exited: true, exitCode });
  }

  async acceptHandshake(): Promise<void> {
    const initialize = await this.request("initialize");
    await this.answer(initialize, { protocolVersion: execServerV0.protocolVersion });
    await this.notification("initialized");
  }

  /** Ends the connection from the server's side. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }
}

/** A fake server with a client that has shaken hands with it. */
export async function connected(options: ExecServerClientConnectOptions = {}) {
  const server = new FakeServer();
  const [client] = await Promise.all([
    ExecServerClient.open(server.clientTransport, options),
    server.acceptHandshake(),
  ]);
  return { server, client };
}

export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error(`did not reject, but gave ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason,
  );
}

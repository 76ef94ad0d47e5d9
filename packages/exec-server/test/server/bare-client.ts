import {
  createTransportPair,
  type IncomingMessage,
  type OutgoingMessage,
  type Transport,
} from "@codex/jsonrpc";
import type { JsonRpcMessage, JsonRpcNotification } from "@codex/protocol";
import { within } from "@codex/test-support";
import {
  type Clock,
  serve,
  type ServeEnd,
  type ServeOptions,
  type ServerLimits,
  type SessionRegistry,
} from "@codex/exec-server";

/** A client of bare frames: what it sends and sees is the wire. */
export interface BareClient extends AsyncDisposable {
  /** Settles when the server has ended with this connection. */
  readonly served: Promise<ServeEnd>;
  readonly transport: Transport;
  send(message: OutgoingMessage): Promise<void>;
  /** The whole answer. */
  call(method: string, params?: unknown): Promise<IncomingMessage>;
  /** The next answer with an id that no call has. */
  answerTo(id: number): Promise<IncomingMessage>;
  /** Every notification so far. */
  readonly notifications: readonly JsonRpcNotification[];
  /** The first notification that `matches`, past or to come. */
  notification(
    what: string,
    matches: (notification: JsonRpcNotification) => boolean,
  ): Promise<JsonRpcNotification>;
  handshake(): Promise<void>;
}

interface Options {
  readonly environment: ServeOptions["environment"];
  readonly limits?: Partial<ServerLimits>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly sessions?: SessionRegistry;
  /** False: nothing is read until `read` is called. */
  readonly isReading?: boolean;
}

/** Serves an environment in this process and connects to it. */
export function connectBare(options: Options): BareClient & { read(): void } {
  const [near, far] = createTransportPair();
  const served = serve({ transport: far, ...options });
  const answers = new Map<unknown, (message: IncomingMessage) => void>();
  const notifications: JsonRpcNotification[] = [];
  let wake = () => {};
  let lastId = 0;
  const read = async () => {
    for await (const message of near.messages) receive(message);
  };
  const receive = (message: IncomingMessage) => {
    if ("method" in message) {
      notifications.push(message);
      wake();
    } else if ("id" in message) answers.get(message.id)?.(message);
  };
  if (options.isReading !== false) void read();
  const client: BareClient & { read(): void } = {
    served,
    transport: near,
    notifications,
    read: () => void read(),
    send: (message) => near.send(message),
    call(method, params) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<IncomingMessage>((resolve) => answers.set(id, resolve));
      void near.send({ id, method, params } as JsonRpcMessage);
      return within(answer, `the answer to ${method}`);
    },
    answerTo(id) {
      const answer = new Promise<IncomingMessage>((resolve) => answers.set(id, resolve));
      return within(answer, `an answer to ${id}`);
    },
    async notification(what, matches) {
      const wait = async () => {
        for (;;) {
          const found = notifications.find(matches);
          if (found !== undefined) return found;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      };
      return within(wait(), what);
    },
    async handshake() {
      await client.call("initialize", { clientName: "bare" });
      await client.send({ method: "initialized", params: {} });
    },
    async [Symbol.asyncDispose]() {
      await near[Symbol.asyncDispose]();
      await served;
    },
  };
  return client;
}

/** Params of `process/start`. */
export function startParams(processId: string, argv: readonly string[], extra: object = {}) {
  return { processId, argv, cwd: "/work", env: {}, tty: false, arg0: null, ...extra };
}

import { setTimeout as delay } from "node:timers/promises";
import { createLocalEnvironment, type Environment } from "@codex/environment";
import { createExecServerEnvironment, ExecServerClient, serve } from "@codex/exec-server";
import type { AbsolutePath, JsonRpcMessage } from "@codex/protocol";

type Transport = Parameters<typeof ExecServerClient.open>[0];

/** An executor at the end of a link that takes `delayMs` each way. */
export interface SlowLink extends AsyncDisposable {
  readonly environment: Environment;
  /** The longest chain of requests since the last call of which each was sent after an answer to the one before. */
  takeRoundTrips(): number;
}

export interface SlowLinkOptions {
  readonly cwd: AbsolutePath;
  readonly delayMs: number;
  /** Errors lose their data on the way, as a server of the seed sends none. */
  readonly isTaciturn?: boolean;
  /** Default: v0. */
  readonly dialect?: "v0" | "current";
}

export async function openSlowLink({
  cwd,
  delayMs,
  isTaciturn,
  dialect = "v0",
}: SlowLinkOptions): Promise<SlowLink> {
  const local = createLocalEnvironment({ cwd, variables: process.env });
  const link = new Link(delayMs, isTaciturn === true);
  void serve({ transport: link.server, environment: local });
  const client = await ExecServerClient.open(link.client, { dialect });
  const environment = createExecServerEnvironment(client, { name: "far", cwd });
  link.takeRoundTrips();
  return {
    environment,
    takeRoundTrips: () => link.takeRoundTrips(),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await local[Symbol.asyncDispose]();
    },
  };
}

class Link {
  readonly client: Transport;
  readonly server: Transport;
  readonly #trips = new Map<unknown, number>();
  #answered = 0;
  #longest = 0;

  constructor(delayMs: number, isTaciturn: boolean) {
    const toServer = new Lane(delayMs);
    const toClient = new Lane(delayMs);
    this.client = transport("far end", toClient, (message) => {
      if ("id" in message && "method" in message) {
        this.#trips.set(message.id, this.#answered + 1);
        this.#longest = Math.max(this.#longest, this.#answered + 1);
      }
      toServer.push(message);
    });
    this.server = transport("near end", toServer, (message) => {
      toClient.push(isTaciturn ? withoutData(message) : message);
    });
    toClient.onArrival = (message) => {
      if ("id" in message && !("method" in message))
        this.#answered = Math.max(this.#answered, this.#trips.get(message.id) ?? 0);
    };
  }

  takeRoundTrips(): number {
    const longest = this.#longest;
    this.#longest = this.#answered = 0;
    return longest;
  }
}

/** One direction: messages arrive in order, each `delayMs` after it was sent. */
class Lane {
  readonly #delayMs: number;
  readonly #sent: { readonly message: JsonRpcMessage; readonly arrives: Promise<unknown> }[] = [];
  #wake: () => void = () => {};
  #isClosed = false;
  onArrival: (message: JsonRpcMessage) => void = () => {};

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  push(message: JsonRpcMessage): void {
    this.#sent.push({ message, arrives: delay(this.#delayMs) });
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *messages(): AsyncGenerator<JsonRpcMessage> {
    for (;;) {
      const next = this.#sent.shift();
      if (next === undefined) {
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      await next.arrives;
      this.onArrival(next.message);
      yield next.message;
    }
  }
}

function transport(
  label: string,
  incoming: Lane,
  send: (message: JsonRpcMessage) => void,
): Transport {
  return {
    label,
    messages: incoming.messages(),
    async send(message) {
      send("bytes" in message ? joined(message) : message);
    },
    pendingBytes: 0,
    async [Symbol.asyncDispose]() {
      incoming.close();
    },
  };
}

function joined({ prefix, bytes, suffix }: { prefix: string; bytes: Uint8Array; suffix: string }) {
  const text = prefix + Buffer.from(bytes).toString("base64") + suffix;
  return JSON.parse(text) as JsonRpcMessage;
}

function withoutData(message: JsonRpcMessage): JsonRpcMessage {
  if (!("error" in message)) return message;
  const { code, message: text } = message.error;
  return { id: message.id, error: { code, message: text } };
}

import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import {
  encodeEvent,
  itemEvents,
  lifecycleEvent,
  outputItem,
  scriptedUsage,
  type WireEvent,
  type WireItem,
} from "./model-events.ts";
import type { ScenarioItem, ScenarioTurn } from "./scenario.ts";

/** Answers one request with turn `n` of a scenario. Settles when the turn has nothing more to do. */
export async function playTurn(
  response: ServerResponse,
  turn: ScenarioTurn,
  n: number,
): Promise<void> {
  const rest = [...turn];
  if (rest[0] !== undefined && "delay_ms" in rest[0]) await pause(response, rest, rest[0].delay_ms);
  const head = rest[0];
  if (head !== undefined && "status" in head) return answerPlainly(response, head);
  if (head !== undefined && "close" in head && rest.length === 1) {
    response.destroy();
    return undefined;
  }
  const headers = head !== undefined && "response_headers" in head ? head.response_headers : {};
  if (head !== undefined && "response_headers" in head) rest.shift();
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  return new TurnPlayer(response, n).play(rest);
}

async function pause(response: ServerResponse, rest: ScenarioItem[], ms: number): Promise<void> {
  rest.shift();
  await untilClosed(response, delay(ms, undefined, { ref: false }));
}

function answerPlainly(
  response: ServerResponse,
  { status, headers, body }: Extract<ScenarioItem, { readonly status: number }>,
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  const fallback = { error: { message: `scripted status ${status}` } };
  response.end(typeof body === "string" ? body : JSON.stringify(body ?? fallback));
}

class TurnPlayer {
  readonly #response: ServerResponse;
  readonly #n: number;
  readonly #output: WireItem[] = [];
  #usage: Readonly<Record<string, unknown>> = scriptedUsage;

  constructor(response: ServerResponse, n: number) {
    this.#response = response;
    this.#n = n;
  }

  async play(turn: ScenarioTurn): Promise<void> {
    this.#send(lifecycleEvent("created", this.#n, { output: [] }));
    for (const [index, item] of turn.entries()) {
      if (this.#response.destroyed) return;
      const output = outputItem(item, `${this.#n}_${index}`);
      if (output !== undefined) this.#sendItem(output);
      else if (await this.#obey(item)) return;
    }
    const rest = { output: this.#output, usage: this.#usage };
    this.#send(lifecycleEvent("completed", this.#n, rest));
    this.#response.end();
  }

  /** True when the turn ends here. */
  async #obey(item: ScenarioItem): Promise<boolean> {
    const response = this.#response;
    if ("event" in item) this.#send(item.event);
    else if ("raw" in item) response.write(item.raw);
    else if ("usage" in item) this.#usage = { ...this.#usage, ...item.usage };
    else if ("delay_ms" in item) {
      await untilClosed(response, delay(item.delay_ms, undefined, { ref: false }));
    } else if ("ping_ms" in item) {
      const timer = setInterval(() => response.write(": ping\n\n"), item.ping_ms);
      response.on("close", () => clearInterval(timer));
    } else return this.#end(item);
    return false;
  }

  #end(item: ScenarioItem): true {
    const response = this.#response;
    if ("close" in item) response.socket?.destroySoon();
    else if ("end" in item) response.end();
    else if ("error" in item) {
      this.#send(lifecycleEvent("failed", this.#n, { error: item.error, output: this.#output }));
      response.end();
    } else if ("incomplete" in item) {
      const incomplete_details = { reason: item.incomplete };
      const rest = { incomplete_details, output: this.#output, usage: this.#usage };
      this.#send(lifecycleEvent("incomplete", this.#n, rest));
      response.end();
    } else if (!("hang" in item)) {
      response.destroy(new Error(`unknown scenario item ${JSON.stringify(item)}`));
    }
    return true;
  }

  #sendItem(item: WireItem): void {
    for (const event of itemEvents(item, this.#output.length)) this.#send(event);
    this.#output.push(item);
  }

  #send(event: WireEvent): void {
    this.#response.write(encodeEvent(event));
  }
}

async function untilClosed(response: ServerResponse, wait: Promise<unknown>): Promise<void> {
  if (response.destroyed) return;
  const { promise, resolve } = closing();
  response.once("close", resolve);
  await Promise.race([wait, promise]);
  response.off("close", resolve);
}

function closing(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

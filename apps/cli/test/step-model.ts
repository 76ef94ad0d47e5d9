import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  encodeEvent,
  itemEvents,
  lifecycleEvent,
  outputItem,
  type ScenarioItem,
  scriptedUsage,
} from "@codex/test-support";

/** An item of the conversation as a request brings it. */
export interface SentItem {
  readonly type: string;
  readonly call_id?: string;
  readonly output?: unknown;
  readonly content?: readonly { readonly text?: string }[];
}

export interface StepModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** Input of each request. */
  readonly inputs: readonly (readonly SentItem[])[];
}

export type Step = Readonly<Record<string, ScenarioItem>>;

/**
 * A model that goes on where its conversation ends: it makes the calls of the first step that are not all there, and
 * when none is missing it says `All done.`. A step names its calls; the name is the call's id.
 */
export async function startStepModel(steps: readonly Step[]): Promise<StepModel> {
  const inputs: (readonly SentItem[])[] = [];
  const server = createServer((request, response) => {
    readInput(request)
      .then(async (input) => {
        inputs.push(input);
        await answer(response, inputs.length, missing(steps, input));
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    inputs,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readInput(request: IncomingMessage): Promise<readonly SentItem[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { input: SentItem[] }).input;
}

function missing(steps: readonly Step[], input: readonly SentItem[]): [string, ScenarioItem][] {
  const made = new Set(input.map((item) => item.call_id));
  const open = steps
    .map((step) => Object.entries(step).filter(([id]) => !made.has(id)))
    .find((calls) => calls.length > 0);
  return open ?? [];
}

/** Time between two events of an answer, so that a run can be killed between them. */
const pauseMs = 3;

async function answer(
  response: ServerResponse,
  n: number,
  calls: readonly (readonly [string, ScenarioItem])[],
): Promise<void> {
  const text = calls.length === 0 ? "All done." : `Now ${calls.map(([id]) => id).join(", ")}.`;
  const items = [["", { message: text }] as const, ...calls].flatMap(([id, item], index) => {
    const output = outputItem(item, `${n}_${index}`);
    return output === undefined ? [] : [id === "" ? output : { ...output, call_id: id }];
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(encodeEvent(lifecycleEvent("created", n, { output: [] })));
  for (const event of items.flatMap(itemEvents)) {
    await delay(pauseMs);
    response.write(encodeEvent(event));
  }
  const rest = { output: items, usage: scriptedUsage };
  response.end(encodeEvent(lifecycleEvent("completed", n, rest)));
}

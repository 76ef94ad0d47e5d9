// An agent with a tool of its own. A recorded conversation plays the model, so no key is needed; put
// `createResponsesClient` in its place for a real one.
import { homedir } from "node:os";
import { createAgent, createReplayClient, defineTool, loadConfig } from "@codex/core";
import { createLocalEnvironment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import * as z from "zod";

const prices = new Map([["apple", 3]]);

const priceOf = defineTool({
  name: "price_of",
  description: "What one piece of a fruit costs, in cents.",
  parameters: z.object({ fruit: z.string().describe("Name of the fruit") }),
  async run({ fruit }) {
    const price = prices.get(fruit);
    return price === undefined
      ? { output: `there is no ${fruit}`, isSuccess: false }
      : `${price} cents`;
  },
});

const call = { name: "price_of", arguments: { fruit: "apple" } };
const lines = [
  { v: 1, events: [{ function_call: call }] },
  { v: 1, capture: { price: "(\\d+) cents" }, events: [{ message: "It costs {{price}} cents." }] },
];

const { config } = await loadConfig({
  variables: process.env,
  cwd: process.cwd(),
  homeDirectory: homedir(),
});
await using environment = createLocalEnvironment({
  cwd: toAbsolutePath(process.cwd()),
  variables: process.env,
});
const agent = createAgent({
  config,
  environment,
  model: createReplayClient({
    file: "own-tool",
    text: lines.map((line) => JSON.stringify(line)).join("\n"),
  }),
  tools: [priceOf],
  isEphemeral: true,
});
await using thread = agent.startThread();
for await (const event of thread.runStreamed("What does an apple cost?")) {
  if (event.type === "item.completed" && event.item.type === "agent_message") {
    console.log(event.item.text);
  }
}

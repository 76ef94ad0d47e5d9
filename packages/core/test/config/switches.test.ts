import { expect, test } from "vitest";
import { agentBench } from "../agent/agent-bench.ts";
import { completed, says, scriptedModel } from "../agent/scripted-model.ts";

/** The names of the tools the model is told of. */
async function offered(...overrides: string[]): Promise<string[]> {
  const model = scriptedModel([says("ok"), completed]);
  const { agent } = await agentBench({ model, overrides });
  await using thread = agent.startThread();
  await thread.run("go");
  const tools = model.prompts[0]?.tools ?? [];
  return tools.map((tool) => ("name" in tool ? String(tool.name) : tool.type));
}

test.each([
  ["features.shell_tool=false", ["exec_command", "write_stdin"], []],
  ["features.view_image=false", ["view_image"], []],
  ["tools.view_image=false", ["view_image"], []],
  ["tools_view_image=false", ["view_image"], []],
  ["tools.experimental_request_user_input.enabled=false", ["request_user_input"], []],
  ["tools.update_plan.enabled=true", [], ["update_plan"]],
])("the switch %s changes what the model is offered", async (override, lost, gained) => {
  const [plain, changed] = [await offered(), await offered(override)];
  expect(plain.filter((name) => !changed.includes(name))).toEqual(lost);
  expect(changed.filter((name) => !plain.includes(name))).toEqual(gained);
});

test.each([
  [["web_search=disabled"], undefined],
  [["web_search=cached"], { type: "web_search", external_web_access: false }],
  [["web_search=live"], { type: "web_search", external_web_access: true }],
])("the hosted search follows %j", async (overrides, expected) => {
  const model = scriptedModel([says("ok"), completed]);
  const { agent } = await agentBench({ model, overrides });
  await using thread = agent.startThread();
  await thread.run("go");
  expect(model.prompts[0]?.tools.find((tool) => tool.type === "web_search")).toEqual(expected);
});

import { expect, test } from "vitest";
import { createUpdatePlanTool } from "../../src/tools/update-plan.ts";
import { recordItems, runTool, type SeenItem } from "./run-tool.ts";

const step = (text: string, status: string) => ({ step: text, status });
const list = (...items: [string, boolean][]) => ({
  type: "todo_list",
  items: items.map(([text, completed]) => ({ text, completed })),
});

test("exec-cli.md 3: one item a turn: started, updated, completed when the turn ends", async () => {
  const tool = createUpdatePlanTool();
  const seen: SeenItem[] = [];
  const { signal } = new AbortController();
  const context = { callId: "c", turnId: "t", signal, items: recordItems(seen) };
  const call = (plan: unknown) =>
    tool.run(
      {
        kind: "function",
        name: "update_plan",
        callId: "c",
        input: JSON.stringify({ explanation: "why", plan }),
      },
      context,
    );
  const output = await call([step("A", "in_progress"), step("B", "pending")]);
  expect(output).toEqual({ output: "Plan updated", isSuccess: true });
  await call([step("A", "completed"), step("B", "in_progress")]);
  tool.completePlan();
  tool.completePlan();
  await call([step("C", "pending")]);
  expect(seen).toEqual([
    ["started", list(["A", false], ["B", false])],
    ["updated", list(["A", true], ["B", false])],
    ["completed", list(["A", true], ["B", false])],
    ["started", list(["C", false])],
  ]);
});

test("exec-cli.md 4: a bad status is the model's mistake and changes no item", async () => {
  const { output, items } = await runTool(createUpdatePlanTool(), { plan: [step("A", "bogus")] });
  expect(output).toMatch(/^failed to parse function arguments: field `plan\.0\.status`: /);
  expect(items).toEqual([]);
});

test("the definition is closed at every depth and says what is required", () => {
  expect(createUpdatePlanTool().definition).toMatchObject({
    type: "function",
    name: "update_plan",
    strict: false,
    parameters: {
      type: "object",
      properties: {
        explanation: { type: "string" },
        plan: {
          type: "array",
          items: {
            type: "object",
            properties: {
              status: { type: "string", enum: ["pending", "in_progress", "completed"] },
              step: { type: "string" },
            },
            required: ["step", "status"],
            additionalProperties: false,
          },
        },
      },
      required: ["plan"],
      additionalProperties: false,
    },
  });
});

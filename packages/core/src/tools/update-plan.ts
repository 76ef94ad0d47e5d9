import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import type { NewThreadItem, OpenItem, Tool } from "./tool.ts";

const Parameters = z.object({
  plan: z
    .array(
      z.object({
        step: z.string().describe("What is to be done, in a few words."),
        status: z
          .enum(["pending", "in_progress", "completed"])
          .describe("How far it is; at most one step is in progress."),
      }),
    )
    .describe("All steps, in order; replaces the plan before."),
  explanation: z.string().optional().describe("Why the plan has changed."),
});

/** `update_plan` of one thread. */
export interface UpdatePlanTool extends Tool {
  /** The turn ends: completes the plan's item as it stands. The next call begins a new one. */
  completePlan(): void;
}

/** `update_plan`: the steps of the work, shown to the person as a list that is started, updated and completed once a turn. */
export function createUpdatePlanTool(): UpdatePlanTool {
  let open: { readonly item: OpenItem; readonly last: NewThreadItem } | undefined;
  const tool = defineTool({
    name: "update_plan",
    description:
      "Shows the person the steps of the work and how far each one is. Call it when the work has several steps, and again whenever one begins or is done.",
    parameters: Parameters,
    run({ plan }, { items }) {
      const last: NewThreadItem = {
        type: "todo_list",
        items: plan.map(({ step, status }) => ({ text: step, completed: status === "completed" })),
      };
      if (open === undefined) open = { item: items.start(last), last };
      else {
        open.item.update(last);
        open = { item: open.item, last };
      }
      return Promise.resolve("Plan updated");
    },
  });
  return {
    ...tool,
    completePlan() {
      open?.item.complete(open.last);
      open = undefined;
    },
  };
}

import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { RespondToModelError, type Tool } from "./tool.ts";

const Parameters = z.object({
  questions: z
    .array(
      z.object({
        id: z.string().describe("Name of the question in the answer."),
        header: z.string().describe("A title of a few words."),
        question: z.string().describe("What the person is asked, one sentence."),
        options: z
          .array(
            z.object({
              label: z.string().describe("The choice, a few words."),
              description: z.string().describe("What it would mean."),
            }),
          )
          .describe("Choices to pick from, the recommended one first."),
      }),
    )
    .describe("One to three questions."),
});

/** `request_user_input` where nobody is there to answer: the model is told so and goes on by itself. */
export function createRequestUserInputTool(): Tool {
  return defineTool({
    name: "request_user_input",
    description:
      "Asks the person questions with given choices. Not available when nobody is there.",
    parameters: Parameters,
    run() {
      throw new RespondToModelError("request_user_input is unavailable in Default mode");
    },
  });
}

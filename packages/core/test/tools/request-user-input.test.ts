import { expect, test } from "vitest";
import { createRequestUserInputTool } from "../../src/tools/request-user-input.ts";
import { runTool } from "./run-tool.ts";

test("exec-cli.md 4: nobody is there to answer", async () => {
  const options = [{ label: "Yes", description: "Go on." }];
  const questions = [{ id: "go", header: "Go", question: "Go on?", options }];
  expect(await runTool(createRequestUserInputTool(), { questions })).toEqual({
    output: "request_user_input is unavailable in Default mode",
    items: [],
  });
});

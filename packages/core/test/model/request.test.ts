import type { ResponseItem } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import type { ToolDefinition } from "../../src/model/model-client.ts";
import { modelInfoFor } from "../../src/model/models.ts";
import { requestBody } from "../../src/model/responses/request.ts";
import { testPrompt, threadId } from "./test-provider.ts";

const tools: readonly ToolDefinition[] = [
  {
    type: "function",
    name: "list_dir",
    description: "List.",
    strict: false,
    parameters: { type: "object" },
  },
];
const user: ResponseItem = {
  type: "message",
  id: "msg_1",
  role: "user",
  content: [{ type: "input_text", text: "Hi." }],
};
const call: ResponseItem = {
  type: "function_call",
  id: "fc_1",
  status: "completed",
  call_id: "c1",
  name: "list_dir",
  arguments: "{}",
};
const output: ResponseItem = {
  type: "function_call_output",
  id: "fco_1",
  call_id: "c1",
  output: "a",
};
const prompt = testPrompt({ input: [user, call, output], tools });

const openai = { form: "developerItem", model: modelInfoFor("gpt-5.5"), settings: {} } as const;
const other = { form: "instructions", model: modelInfoFor("some-model"), settings: {} } as const;

describe("requestBody", () => {
  test("exec-cli.md 2: for openai the base instructions are the first input item and items carry ids", () => {
    expect(JSON.stringify(requestBody(prompt, openai), null, 1)).toMatchInlineSnapshot(`
      "{
       "model": "gpt-5.5",
       "input": [
        {
         "type": "message",
         "id": "msg_0199f000-0000-7000-8000-000000000001",
         "role": "developer",
         "content": [
          {
           "type": "input_text",
           "text": "Be good."
          }
         ]
        },
        {
         "type": "message",
         "id": "msg_1",
         "role": "user",
         "content": [
          {
           "type": "input_text",
           "text": "Hi."
          }
         ]
        },
        {
         "type": "function_call",
         "id": "fc_1",
         "status": "completed",
         "call_id": "c1",
         "name": "list_dir",
         "arguments": "{}"
        },
        {
         "type": "function_call_output",
         "id": "fco_1",
         "call_id": "c1",
         "output": "a"
        }
       ],
       "tools": [
        {
         "type": "function",
         "name": "list_dir",
         "description": "List.",
         "strict": false,
         "parameters": {
          "type": "object"
         }
        }
       ],
       "tool_choice": "auto",
       "parallel_tool_calls": true,
       "reasoning": {
        "effort": "medium"
       },
       "store": false,
       "stream": true,
       "include": [
        "reasoning.encrypted_content"
       ],
       "prompt_cache_key": "0199f000-0000-7000-8000-000000000001",
       "text": {
        "verbosity": "low"
       },
       "client_metadata": {
        "thread_id": "0199f000-0000-7000-8000-000000000001"
       }
      }"
    `);
  });

  test("session.md 6: for everybody else they have a key of their own and items go without ids", () => {
    expect(JSON.stringify(requestBody(prompt, other), null, 1)).toMatchInlineSnapshot(`
      "{
       "model": "some-model",
       "instructions": "Be good.",
       "input": [
        {
         "type": "message",
         "role": "user",
         "content": [
          {
           "type": "input_text",
           "text": "Hi."
          }
         ]
        },
        {
         "type": "function_call",
         "status": "completed",
         "call_id": "c1",
         "name": "list_dir",
         "arguments": "{}"
        },
        {
         "type": "function_call_output",
         "call_id": "c1",
         "output": "a"
        }
       ],
       "tools": [
        {
         "type": "function",
         "name": "list_dir",
         "description": "List.",
         "strict": false,
         "parameters": {
          "type": "object"
         }
        }
       ],
       "tool_choice": "auto",
       "parallel_tool_calls": true,
       "reasoning": {
        "summary": "auto"
       },
       "store": false,
       "stream": true,
       "include": [
        "reasoning.encrypted_content"
       ],
       "prompt_cache_key": "0199f000-0000-7000-8000-000000000001"
      }"
    `);
  });

  test.each([openai, other])(
    "exec-cli.md 2: in form $form the input starts byte for byte with the last one",
    (parts) => {
      const first = JSON.stringify(
        requestBody(testPrompt({ input: [user], tools }), parts)["input"],
      );
      const second = JSON.stringify(
        requestBody(testPrompt({ input: [user, call, output], tools }), parts)["input"],
      );
      expect(second.slice(0, first.length - 1)).toBe(first.slice(0, -1));
    },
  );

  test("only the input differs between two requests of a thread", () => {
    const { input: _a, ...first } = requestBody(testPrompt({ turnId: "1", input: [user] }), openai);
    const { input: _b, ...second } = requestBody(
      testPrompt({ turnId: "2", input: [user, call] }),
      openai,
    );
    expect(second).toEqual(first);
  });

  test.each([
    [{}, { effort: "medium" }],
    [{ effort: "high" }, { effort: "high" }],
    [{ summary: "detailed" }, { effort: "medium", summary: "detailed" }],
    [{ summary: "none" }, { effort: "medium" }],
  ])("session.md 6: settings %j ask gpt-5.5 for the reasoning %j", (settings, reasoning) => {
    expect(requestBody(prompt, { ...openai, settings })).toMatchObject({
      reasoning,
      include: ["reasoning.encrypted_content"],
    });
  });

  test("session.md 6: without reasoning there is no such key and nothing to include", () => {
    const body = requestBody(prompt, { ...other, settings: { summary: "none" } });
    expect(body).not.toHaveProperty("reasoning");
    expect(body["include"]).toEqual([]);
  });

  test.each([
    [openai, {}, undefined, { verbosity: "low" }],
    [openai, { verbosity: "high" }, undefined, { verbosity: "high" }],
    [other, {}, undefined, undefined],
    [
      other,
      {},
      { type: "object" },
      {
        format: {
          type: "json_schema",
          strict: true,
          schema: { type: "object" },
          name: "codex_output_schema",
        },
      },
    ],
  ])(
    "exec-cli.md 7: text for %# is the verbosity and the form of the answer",
    (parts, settings, outputSchema, text) => {
      const body = requestBody(testPrompt({ outputSchema }), { ...parts, settings });
      expect(body["text"]).toEqual(text);
    },
  );

  test("the thread's key for the cache is the thread's id", () => {
    expect(requestBody(prompt, other)["prompt_cache_key"]).toBe(threadId);
  });
});

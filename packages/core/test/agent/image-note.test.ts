import { textMessage } from "@codex/protocol";
import { expect, test } from "vitest";
import { refusedImage, withoutImages } from "../../src/agent/image-note.ts";
import { promptInput, type Session } from "../../src/agent/session.ts";

const image = { type: "input_image", image_url: "data:image/png;base64,AA==" };
const items = [
  { type: "message", role: "user", content: [image, { type: "input_text", text: "look" }] },
  { type: "function_call_output", call_id: "a", output: [image] },
  { type: "function_call_output", call_id: "b", output: "text" },
];

test("session.md 10: a model that cannot look at images is sent a text in their place", () => {
  const session = (supportsImages: boolean) =>
    ({ history: { forPrompt: () => items }, modelInfo: { supportsImages } }) as unknown as Session;
  const text = "image content omitted because you do not support image input";
  expect(promptInput(session(true))).toEqual(items);
  expect(promptInput(session(false))).toEqual([
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text },
        { type: "input_text", text: "look" },
      ],
    },
    { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text }] },
    items[2],
  ]);
});

test("items without an image are told apart from those where one was replaced", () => {
  expect(withoutImages([textMessage("user", "hi")], refusedImage)).toBeUndefined();
});

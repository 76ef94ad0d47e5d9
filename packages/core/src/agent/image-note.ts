import { isMessage, isToolCallOutput, type ResponseItem } from "@codex/protocol";

const note = { type: "input_text", text: "(an image was here; the model's server refused it)" };

/** The items with every image replaced by a note, or undefined when there is none. */
export function withoutImages(items: readonly ResponseItem[]): ResponseItem[] | undefined {
  let found = false;
  const parts = <Part extends { readonly type: string }>(
    list: readonly Part[],
  ): (Part | typeof note)[] =>
    list.map((part) => {
      if (part.type !== "input_image") return part;
      found = true;
      return note;
    });
  const changed = items.map((item): ResponseItem => {
    if (isMessage(item)) return { ...item, content: parts(item.content) };
    if (isToolCallOutput(item) && typeof item.output !== "string")
      return { ...item, output: parts(item.output) };
    return item;
  });
  return found ? changed : undefined;
}

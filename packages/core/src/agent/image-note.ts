import { isMessage, isToolCallOutput, type ResponseItem } from "@codex/protocol";

/** Stands where an image was that the server would not take. */
export const refusedImage = "(an image was here; the model's server refused it)";
/** Stands where an image is that this model cannot look at. */
export const unsupportedImage = "image content omitted because you do not support image input";

/** The items with `text` in place of every image, or undefined when there is none. */
export function withoutImages(
  items: readonly ResponseItem[],
  text: string,
): ResponseItem[] | undefined {
  const note = { type: "input_text", text };
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

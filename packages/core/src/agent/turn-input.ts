import { type ContentPart, type MessageItem, textMessage } from "@codex/protocol";

/** What a person hands to a turn: text, or text and images already read. */
export type TurnInput = string | { readonly text: string; readonly images?: readonly InputImage[] };

/** `path` is as the person named it, and shown to the model. */
export type InputImage =
  /** `data:` URL. */
  | { readonly path: string; readonly url: string }
  /** It could not be used: the model is told so in its place, and the person in an `error` item. */
  | { readonly path: string; readonly problem: string };

/** The user message of a turn: images first, three parts each, then the text. */
export function userMessage(input: TurnInput, imageDetail: string): MessageItem {
  if (typeof input === "string") return textMessage("user", input);
  const images = (input.images ?? []).flatMap((image, index) =>
    imageParts(image, index + 1, imageDetail),
  );
  return {
    type: "message",
    role: "user",
    content: [...images, { type: "input_text", text: input.text }],
  };
}

/** What is said of an image that could not be used. */
export function unreadable(image: { readonly path: string; readonly problem: string }): string {
  return `Codex could not read the local image at \`${image.path}\`: ${image.problem}`;
}

function imageParts(image: InputImage, number: number, detail: string): ContentPart[] {
  if ("problem" in image) return [{ type: "input_text", text: unreadable(image) }];
  return [
    { type: "input_text", text: `<image name=[Image #${number}] path="${image.path}">` },
    { type: "input_image", image_url: image.url, detail },
    { type: "input_text", text: "</image>" },
  ];
}

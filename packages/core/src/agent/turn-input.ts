import { type ContentPart, type MessageItem, textMessage } from "@codex/protocol";

/** What a person hands to a turn: text, or text and images already read. */
export type TurnInput = string | { readonly text: string; readonly images?: readonly InputImage[] };

export interface InputImage {
  /** As the person named it; shown to the model. */
  readonly path: string;
  /** `data:` URL; undefined when the file could not be read, which is then said in its place. */
  readonly url: string | undefined;
  readonly problem?: string;
}

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

function imageParts(image: InputImage, number: number, detail: string): ContentPart[] {
  if (image.url === undefined) {
    const reason = image.problem ?? "it could not be read";
    return [
      {
        type: "input_text",
        text: `Codex could not read the local image at \`${image.path}\`: ${reason}`,
      },
    ];
  }
  return [
    { type: "input_text", text: `<image name=[Image #${number}] path="${image.path}">` },
    { type: "input_image", image_url: image.url, detail },
    { type: "input_text", text: "</image>" },
  ];
}

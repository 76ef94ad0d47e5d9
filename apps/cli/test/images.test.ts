import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { execWith } from "./exec-with.ts";
import { hereAndThere } from "./here-and-there.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";
const image = (number: number, path: string) => [
  { type: "input_text", text: `<image name=[Image #${number}] path="${path}">` },
  { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "original" },
  { type: "input_text", text: "</image>" },
];
const prepare = ({ cwd }: { readonly cwd: string }): Promise<void> =>
  writeFile(join(cwd, "red.jpg"), Buffer.from(png, "base64"));

function lastInput(request: { readonly body: Record<string, unknown> | undefined } | undefined) {
  return (request?.body?.["input"] as unknown[] | undefined)?.at(-1);
}

describe.each(hereAndThere())("%s", (_place, at) => {
  test("exec-cli.md 2: -i is read here, told apart by its bytes, and comes before the prompt", async () => {
    const args = ["--json", "-i", "red.jpg", "--image", "./red.jpg", "which colour?"];
    const { code, requests } = await execWith({ ...at(), prepare, args, leavesHere: ["red.jpg"] });
    expect(code).toBe(0);
    expect(lastInput(requests[0])).toMatchObject({
      role: "user",
      content: [
        ...image(1, "red.jpg"),
        ...image(2, "./red.jpg"),
        { type: "input_text", text: "which colour?" },
      ],
    });
  });
});

test("exec-cli.md 2: an image that cannot be used is a text in its place, a warning, and no failure", async () => {
  const paths = ["gone.png", "notes.png", "."];
  const args = ["--json", ...paths.flatMap((path) => ["-i", path]), "go"];
  const { code, events, requests } = await execWith({ args, files: { "notes.png": "no image" } });
  const problems = [
    "Codex could not read the local image at `gone.png`: No such file or directory (os error 2)",
    "Codex could not read the local image at `notes.png`: invalid or unsupported image data",
    "Codex could not read the local image at `.`: it is not a file",
  ];
  expect(code).toBe(0);
  expect(lastInput(requests[0])).toMatchObject({
    content: [...problems.map((text) => ({ type: "input_text", text })), { text: "go" }],
  });
  expect(
    events.flatMap((event) =>
      event.type === "item.completed" && event.item.type === "error" ? event.item.message : [],
    ),
  ).toEqual(problems);
});

test("exec-cli.md 7: resume ID --image, prompt on stdin", async () => {
  const scenario = [[{ message: "One." }], [{ message: "Two." }]] as const;
  const args = ["--experimental-json"];
  const setup = { prepare, scenario, args, run: { stdin: { text: "look" } } } as const;
  await execWith(setup, async ({ events, again, requests }) => {
    const [started] = events;
    const id = started?.type === "thread.started" ? started.thread_id : "";
    const { code } = await again([
      "exec",
      "--experimental-json",
      "resume",
      id,
      "--image",
      "red.jpg",
    ]);
    expect(code).toBe(0);
    expect(lastInput(requests[1])).toMatchObject({
      content: [...image(1, "red.jpg"), { type: "input_text", text: "look" }],
    });
  });
});

import { type FileSystem, osError } from "@codex/environment";
import { createMemoryFileSystem } from "@codex/environment/testing";
import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { createViewImageTool, type ViewImageOptions } from "../../src/tools/view-image.ts";
import { images } from "./image/sample-images.ts";
import { runTool } from "./run-tool.ts";

const memory = createMemoryFileSystem({ "/w/img.png": images.png, "/w/note.png": "hi\n" });

async function view(path: string, options: Partial<ViewImageOptions> = {}) {
  const tool = createViewImageTool({
    fileSystem: memory,
    cwd: toAbsolutePath("/w"),
    supportsImages: true,
    detail: "original",
    ...options,
  });
  return runTool(tool, { path });
}

const url = `data:image/png;base64,${images.png.toString("base64")}`;

describe("exec-cli.md 4: view_image", () => {
  test.each(["img.png", "/w/img.png", "./sub/../img.png"])("%s", async (path) => {
    expect(await view(path)).toEqual({
      output: [{ type: "input_image", image_url: url, detail: "original" }],
      items: [],
    });
  });

  test("a model that is not sent original pixels", async () => {
    expect((await view("img.png", { detail: "high" })).output).toEqual([
      { type: "input_image", image_url: url, detail: "high" },
    ]);
  });

  test.each([
    ["none.png", "unable to locate image at `/w/none.png`: No such file or directory (os error 2)"],
    [".", "image path `/w` is not a file"],
    ["note.png", "unable to process image: invalid or unsupported image data"],
  ])("%s: %s", async (path, expected) => {
    expect((await view(path)).output).toBe(expected);
  });

  test("tools.md 12: a model without image input", async () => {
    expect((await view("img.png", { supportsImages: false })).output).toBe(
      "view_image is not allowed because you do not support image inputs",
    );
  });

  test("tools.md 12: a file that cannot be read", async () => {
    const readFile: FileSystem["readFile"] = (path) => Promise.reject(osError("EACCES", path));
    expect((await view("img.png", { fileSystem: { ...memory, readFile } })).output).toBe(
      "unable to read image at `/w/img.png`: Permission denied (os error 13)",
    );
  });
});

test("a file that is too large is refused before it is read", async () => {
  const getMetadata: FileSystem["getMetadata"] = async (path) => ({
    ...(await memory.getMetadata(path)),
    size: 40_000_000,
  });
  const readFile: FileSystem["readFile"] = () => Promise.reject(new Error("was read"));
  expect((await view("img.png", { fileSystem: { ...memory, getMetadata, readFile } })).output).toBe(
    "unable to process image: the image has 40000000 bytes, the limit is 33554432",
  );
});

import { describe, expect, test } from "vitest";
import { imageDataUrl, maxImageBytes, maxImageSide } from "../../../src/tools/image/data-url.ts";
import { imageFormat } from "../../../src/tools/image/format.ts";
import { bytesOf, images, jpegOf } from "./sample-images.ts";

describe("the format is told by the bytes", () => {
  test.each([
    ["PNG", images.png, { mimeType: "image/png", width: 8, height: 8 }],
    ["GIF", images.gif, { mimeType: "image/gif", width: 1, height: 1 }],
    ["WebP, lossy", images.webpLossy, { mimeType: "image/webp", width: 1, height: 1 }],
    ["WebP, lossless", images.webpLossless, { mimeType: "image/webp", width: 1, height: 1 }],
    ["WebP, extended", images.webpExtended, { mimeType: "image/webp", width: 300, height: 70_000 }],
    ["JPEG", jpegOf(640, 480), { mimeType: "image/jpeg", width: 640, height: 480 }],
  ])("%s", (_, bytes, format) => {
    expect(imageFormat(bytes)).toEqual(format);
  });

  test.each([
    ["nothing", bytesOf("")],
    ["text", bytesOf("hi\n")],
    ["an image type no model takes", bytesOf("BM6")],
    ["a PNG cut short", images.png.subarray(0, -20)],
    ["a JPEG without its end", jpegOf(640, 480).subarray(0, -2)],
    ["a JPEG without a frame", bytesOf(Buffer.from("ffd8ffe00002ffd9", "hex").toString("latin1"))],
    ["a JPEG of no size", jpegOf(0, 0)],
    ["a GIF cut short", images.gif.subarray(0, 8)],
    ["a WebP cut short", images.webpLossy.subarray(0, -1)],
  ])("%s is none", (_, bytes) => {
    expect(imageFormat(bytes)).toBeUndefined();
  });
});

test("the URL holds the bytes untouched", () => {
  expect(imageDataUrl(images.gif)).toEqual({
    url: `data:image/gif;base64,${images.gif.toString("base64")}`,
  });
});

test("limits are told with what was found", () => {
  expect(imageDataUrl(new Uint8Array(maxImageBytes + 1))).toEqual({
    problem: "the image has 33554433 bytes, the limit is 33554432",
  });
  expect(imageDataUrl(jpegOf(maxImageSide + 1, 10))).toEqual({
    problem: "the image is 16385 x 10 pixels, the limit is 16384 on a side",
  });
});

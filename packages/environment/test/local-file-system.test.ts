import { createLocalFileSystem } from "@codex/environment";
import { describeFileSystem, openLocalSubject } from "@codex/environment/testing";
import { expect, test } from "vitest";

describeFileSystem("local", openLocalSubject);

test("C1: the local file system is public and has the seed's seven operations", () => {
  expect(createLocalFileSystem()).toMatchObject({
    readFile: expect.any(Function),
    writeFile: expect.any(Function),
    createDirectory: expect.any(Function),
    getMetadata: expect.any(Function),
    readDirectory: expect.any(Function),
    remove: expect.any(Function),
    copy: expect.any(Function),
  });
});

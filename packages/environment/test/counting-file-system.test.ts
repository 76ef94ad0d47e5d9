import { createCountingFileSystem, createMemoryFileSystem } from "@codex/environment/testing";
import { toAbsolutePath } from "@codex/protocol";
import { expect, test } from "vitest";

const at = toAbsolutePath;

test("calls made together are one round trip, calls that wait for each other are one each", async () => {
  const files = createCountingFileSystem(createMemoryFileSystem({ "/w/a": "", "/w/b": "" }));
  await Promise.all([files.readFile(at("/w/a")), files.readFile(at("/w/b"))]);
  expect(files.count()).toEqual({ calls: ["readFile /w/a", "readFile /w/b"], roundTrips: 1 });
  await files.getMetadata(at("/w/a"));
  await files.readDirectory(at("/missing")).catch(() => {});
  expect(files.count().roundTrips).toBe(3);
  files.reset();
  expect(files.count()).toEqual({ calls: [], roundTrips: 0 });
});

test("a pipeline that goes on after its first answer counts the trip that follows it", async () => {
  const files = createCountingFileSystem(createMemoryFileSystem({ "/w/a": "", "/w/b": "" }));
  const second = files.readFile(at("/w/b"));
  await files.readFile(at("/w/a"));
  await files.getMetadata(at("/w/a"));
  await second;
  expect(files.count().roundTrips).toBe(2);
});

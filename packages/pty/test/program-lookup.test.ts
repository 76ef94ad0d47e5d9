import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProcessError } from "@codex/pty";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lookUpProgram } from "../src/program-lookup.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "codex-lookup-"));
  for (const folder of ["first", "second", "first/folder"]) mkdirSync(join(root, folder));
  for (const [file, mode] of [
    ["first/plain", 0o644],
    ["second/plain", 0o755],
    ["second/tool", 0o755],
    ["second/folder", 0o755],
    ["first/locked", 0o644],
  ] as const) {
    writeFileSync(join(root, file), "");
    chmodSync(join(root, file), mode);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ["tool", "second/tool"],
  ["plain", "second/plain"], // the first is not executable: the search goes on
  ["folder", "second/folder"], // a directory is no program
  ["./second/tool", "second/tool"],
])("%s on the PATH is %s", (name, file) => {
  const path = `${root}/first:${root}/second`;
  expect(lookUpProgram(name, root, path)).toBe(join(root, file));
});

test("relative and empty folders of the PATH count from the working directory", () => {
  expect(lookUpProgram("tool", root, "second")).toBe(join(root, "second/tool"));
  expect(lookUpProgram("tool", join(root, "second"), "/nowhere:")).toBe(join(root, "second/tool"));
});

test("without a PATH the system's folders are searched", () => {
  expect(lookUpProgram("sh", "/", undefined)).toBe("/bin/sh");
});

test.each([
  ["nothing", "", "notFound", "No such file or directory (os error 2)"],
  ["./nothing", "", "notFound", "No such file or directory (os error 2)"],
  ["./first/plain/below", "", "notFound", /^(Not a|No such file or) directory \(os error/],
  ["locked", "", "permissionDenied", "Permission denied (os error 13)"],
  ["./first", "", "permissionDenied", "Permission denied (os error 13)"],
  ["tool", "missing", "badCwd", "No such file or directory (os error 2)"],
  ["tool", "first/plain", "badCwd", "Not a directory (os error 20)"],
])("%s in /%s is refused as %s", (name, cwd, kind, message) => {
  let error: unknown;
  try {
    lookUpProgram(name, join(root, cwd), `${root}/first:${root}/second`);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ProcessError);
  const refusal = error as ProcessError;
  expect(refusal.kind).toBe(kind);
  expect(refusal.message).toMatch(message);
  expect(refusal.cause).toBeInstanceOf(Error);
});

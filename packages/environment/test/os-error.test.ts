import { FileSystemError, osError, osErrorMessage } from "@codex/environment";
import { expect, test } from "vitest";
import { toFileSystemError } from "../src/os-error.ts";

function nodeError(code: string, errno: number): Error {
  return Object.assign(new Error(`${code}: text of Node, open '/x'`), { code, errno });
}

function pick({ kind, message, path, environment, cause }: FileSystemError) {
  return { kind, message, path, environment, cause };
}

test.each([
  ["ENOENT", -2, "notFound", "No such file or directory (os error 2)"],
  ["EACCES", -13, "permissionDenied", "Permission denied (os error 13)"],
  ["EPERM", -1, "permissionDenied", "Operation not permitted (os error 1)"],
  ["EEXIST", -17, "alreadyExists", "File exists (os error 17)"],
  ["ENOTDIR", -20, "notDirectory", "Not a directory (os error 20)"],
  ["EISDIR", -21, "isDirectory", "Is a directory (os error 21)"],
  ["EINVAL", -22, "invalidInput", "Invalid argument (os error 22)"],
  ["EROFS", -30, "readOnly", "Read-only file system (os error 30)"],
  ["ENOTEMPTY", -39, "notEmpty", "Directory not empty (os error 39)"],
  ["ENOSPC", -28, "other", "No space left on device (os error 28)"],
  ["ELOOP", -40, "other", "Too many levels of symbolic links (os error 40)"],
])("%s becomes the C library's text with its number, and a kind", (code, errno, kind, message) => {
  const cause = nodeError(code, errno);
  const error = toFileSystemError(cause, "/x", "box");
  expect({ error: error.name, ...pick(error) }).toEqual({
    error: "FileSystemError",
    kind,
    message,
    path: "/x",
    environment: "box",
    cause,
  });
});

test("a system error without a name here keeps its number and the system's text", () => {
  expect(toFileSystemError(nodeError("EHOSTUNREACH", -113), "/x")).toMatchObject({
    kind: "other",
    message: "host is unreachable (os error 113)",
  });
});

test("what is no system error keeps its message", () => {
  const errors = [new Error("odd"), "a text"].map((thrown) => toFileSystemError(thrown, "/x"));
  expect(errors.map(({ kind, message }) => ({ kind, message }))).toEqual([
    { kind: "other", message: "odd" },
    { kind: "other", message: "a text" },
  ]);
});

test("a file system error gets the environment's name and the path that was asked for", () => {
  const denied = new FileSystemError("sandboxDenied", "/real/x", "no");
  expect(toFileSystemError(denied, "/link/x", "box")).toMatchObject({
    kind: "sandboxDenied",
    path: "/link/x",
    message: "no",
    environment: "box",
  });
});

test("an error can be made from its name", () => {
  expect(osError("ENOENT", "/x")).toMatchObject({
    kind: "notFound",
    path: "/x",
    message: osErrorMessage("ENOENT"),
  });
});

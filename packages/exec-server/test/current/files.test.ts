import type { MemoryFiles } from "@codex/environment/testing";
import { expect, test } from "vitest";
import { toAbsolutePath } from "@codex/protocol";
import { base64, openCurrent, refused } from "./open-current.ts";

const files: MemoryFiles = {
  "/work/d/f.txt": "hello\n",
  "/work/d/.hid/x": "x",
  "/work/d/sub/y": "y",
  "/work/d/sub/deep/": "",
};
const uri = (path: string) => `file:///work/d${path}`;

/** With the files above, and three links beside them. */
async function open(extensions?: readonly string[] | "all") {
  const opened = await openCurrent({ files, ...(extensions && { extensions }) });
  const links = { lnk: "sub", flnk: "f.txt", dang: "nowhere" };
  for (const [name, target] of Object.entries(links))
    await opened.environment.fileSystem.makeSymlink(target, toAbsolutePath(`/work/d/${name}`));
  return opened;
}

function withoutId(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== "id"));
}

const notFound = refused("No such file or directory (os error 2)", -32_004);
const times = { createdAtMs: expect.any(Number), modifiedAtMs: expect.any(Number) };

test("exec-server.md 4: metadata tells size and link; what is not there is -32004", async () => {
  const { client } = await open();
  const metadata = (path: string, extra: object = {}) =>
    client.call("fs/getMetadata", { path, sandbox: null, ...extra });
  const file = { isDirectory: false, isFile: true, size: 6, ...times };
  expect(await metadata(uri("/f.txt"))).toEqual({ id: 2, result: { ...file, isSymlink: false } });
  expect(await metadata(uri("/flnk"))).toEqual({ id: 3, result: { ...file, isSymlink: true } });
  expect(await metadata("/work/d/f.txt")).toMatchObject({ result: file });
  expect(await metadata(uri("/dang"))).toEqual({ id: 5, ...notFound });
  expect(await metadata("work/d")).toMatchObject({ error: { code: -32_602 } });
  const links = { followSymlinks: false };
  expect(await metadata(uri("/lnk/y"), links)).toMatchObject(
    refused("path contains a symbolic link"),
  );
  expect(await metadata(uri("/sub/y"), links)).toMatchObject({ result: { isFile: true } });
  expect(await metadata(uri("/nope"), links)).toMatchObject(notFound);
});

test("a URI is percent-decoded, on the way out encoded", async () => {
  const { client } = await openCurrent({ files: { "/work/a b#": "x" } });
  expect(
    await client.call("fs/readFile", { path: "file://localhost/work/a%20b%23" }),
  ).toMatchObject({ result: { dataBase64: base64("x") } });
  expect(await client.call("fs/canonicalize", { path: "/work/a b#" })).toMatchObject({
    result: { path: "file:///work/a%20b%23" },
  });
});

test("exec-server.md 4: a listing tells what entries lead to and leaves out dangling links", async () => {
  const { client } = await open(["entryKinds"]);
  const list = async (extra: object) => {
    const answer = await client.call("fs/readDirectory", { path: uri(""), ...extra });
    const { entries } = (answer as { result: { entries: { fileName: string }[] } }).result;
    return entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
  };
  const directory = { isDirectory: true, isFile: false };
  const file = { isDirectory: false, isFile: true };
  expect(await list({})).toEqual([
    { fileName: ".hid", ...directory },
    { fileName: "f.txt", ...file },
    { fileName: "flnk", ...file },
    { fileName: "lnk", ...directory },
    { fileName: "sub", ...directory },
  ]);
  const link = { isDirectory: false, isFile: false, isSymlink: true };
  expect(await list({ everyEntry: true })).toEqual([
    { fileName: ".hid", ...directory, isSymlink: false },
    { fileName: "dang", ...link },
    { fileName: "f.txt", ...file, isSymlink: false },
    { fileName: "flnk", ...link },
    { fileName: "lnk", ...link },
    { fileName: "sub", ...directory, isSymlink: false },
  ]);
});

test("exec-server.md 4: files are written, copied, removed; refusals are the original's", async () => {
  const { client } = await open();
  const dataBase64 = base64("new");
  const answers = [
    await client.call("fs/writeFile", { path: uri("/no/x"), dataBase64 }),
    await client.call("fs/createDirectory", { path: uri("/no"), recursive: true }),
    await client.call("fs/writeFile", { path: uri("/no/x"), dataBase64 }),
    await client.call("fs/readFile", { path: uri("/no/x") }),
    await client.call("fs/writeFile", { path: uri("/w"), dataBase64: "aG" }),
    await client.call("fs/readFile", { path: uri("") }),
    await client.call("fs/copy", { sourcePath: uri("/sub"), destinationPath: uri("/cp") }),
    await client.call("fs/copy", {
      sourcePath: uri("/sub"),
      destinationPath: uri("/cp"),
      recursive: false,
    }),
    await client.call("fs/remove", { path: uri("/nope"), recursive: false, force: false }),
    await client.call("fs/remove", { path: uri("/no/x"), recursive: false, force: false }),
    await client.call("fs/readFile", { path: uri("/no/x") }),
  ];
  expect(answers.map(withoutId)).toEqual([
    notFound,
    { result: {} },
    { result: {} },
    { result: { dataBase64 } },
    refused("fs/writeFile requires valid base64 dataBase64: Invalid padding"),
    refused("path `/work/d` is not a file"),
    refused("missing field `recursive`", -32_602),
    refused("fs/copy requires recursive: true when sourcePath is a directory"),
    notFound,
    { result: {} },
    notFound,
  ]);
});

const options = {
  maxDepth: 6,
  maxDirectories: 100,
  maxEntries: 100,
  followDirectorySymlinks: false,
  pruneHiddenDirectories: false,
};
const all = [
  ["/.hid", "directory"],
  ["/f.txt", "file"],
  ["/sub", "directory"],
  ["/.hid/x", "file"],
  ["/sub/deep", "directory"],
  ["/sub/y", "file"],
];

test.each<[string, object, string[][], boolean]>([
  ["breadth first by name, without links", {}, all, false],
  ["depth 0 is the directory's own entries", { maxDepth: 0 }, all.slice(0, 3), false],
  ["entries are cut", { maxEntries: 2 }, all.slice(0, 2), true],
  ["directories are counted", { maxDirectories: 1 }, all.slice(0, 3), true],
  [
    "links to directories are followed once, hidden directories are not read",
    { followDirectorySymlinks: true, pruneHiddenDirectories: true },
    [
      ["/.hid", "directory"],
      ["/f.txt", "file"],
      ["/lnk", "directory"],
      ["/sub", "directory"],
      ["/lnk/deep", "directory"],
      ["/lnk/y", "file"],
    ],
    false,
  ],
  [
    "with everyEntry links are given",
    { everyEntry: true, maxDepth: 0 },
    [
      ["/.hid", "directory"],
      ["/dang", "symlink"],
      ["/f.txt", "file"],
      ["/flnk", "symlink"],
      ["/lnk", "symlink"],
      ["/sub", "directory"],
    ],
    false,
  ],
])("exec-server.md 4: fs/walk: %s", async (_what, extra, entries, truncated) => {
  const { client } = await open(["entryKinds"]);
  const params = { path: uri(""), options: { ...options, ...extra } };
  expect(await client.call("fs/walk", params)).toMatchObject({
    result: {
      entries: entries.map(([path, kind]) => ({ path: uri(path ?? ""), kind })),
      errors: [],
      truncated,
    },
  });
});

test("fs/walk: a file has nothing below it, what is missing is an error, limits are kept", async () => {
  const { client } = await open(["walkMetadata"]);
  const walk = (path: string, extra: object = {}) =>
    client.call("fs/walk", { path: uri(path), options: { ...options, ...extra } });
  const tooFar =
    "filesystem walk limits exceed maximums: depth=64, directories=10000, entries=50000";
  expect(await walk("/f.txt")).toMatchObject({
    result: { entries: [], errors: [], truncated: false },
  });
  expect(await walk("/nope")).toMatchObject(notFound);
  expect(await walk("", { maxEntries: 0 })).toMatchObject(
    refused("filesystem walk limits must be greater than zero"),
  );
  expect(await walk("", { maxDepth: 65 })).toMatchObject(refused(tooFar));
  expect(await walk("", { maxEntries: 50_001 })).toMatchObject(refused(tooFar));
  expect(await walk("/sub", { metadata: true })).toMatchObject({
    result: {
      entries: [
        { path: uri("/sub/deep"), kind: "directory" },
        {
          path: uri("/sub/y"),
          size: 1,
          mode: expect.any(Number),
          modifiedAtMs: expect.any(Number),
        },
      ],
    },
  });
});

test("fs/walk: an answer over 4 MiB is cut", async () => {
  const name = "n".repeat(200);
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`/work/d/${name}${index}`, ""]),
  );
  const { client } = await openCurrent({ files: many });
  const params = { path: uri(""), options: { ...options, maxEntries: 50_000 } };
  const { result } = (await client.call("fs/walk", params)) as {
    result: { entries: unknown[]; truncated: boolean };
  };
  expect(result.truncated).toBe(true);
  expect(JSON.stringify(result.entries).length).toBeLessThan(5 * 1024 * 1024);
});

test("exec-server.md 4: blocks are read and written through handles", async () => {
  const { client } = await open();
  const call = async (method: string, params: object) => {
    return withoutId(await client.call(method, params));
  };
  const read = (offset: number, len: number, handleId = "r") =>
    call("fs/readBlock", { handleId, offset, len });
  const write = (offset: number, text: string, handleId = "w") =>
    call("fs/writeBlock", { handleId, offset, chunk: base64(text) });
  const answers = [
    await call("fs/open", { handleId: "r", path: uri("/f.txt") }),
    await call("fs/open", { handleId: "r", path: uri("/f.txt") }),
    await call("fs/open", { handleId: "d", path: uri("/sub") }),
    await call("fs/open", { handleId: "n", path: uri("/nope") }),
    await read(3, 300),
    await read(0, 6),
    await read(100, 3),
    await read(0, 0),
    await read(0, 1_048_577),
    await read(0, 1, "nope"),
    await write(0, "x", "r"),
    await call("fs/close", { handleId: "r" }),
    await call("fs/close", { handleId: "r" }),
    await call("fs/open", { handleId: "w", path: uri("/new"), mode: "replace" }),
    await read(0, 1, "w"),
    await write(3, "def"),
    await write(0, "abc"),
    await write(0, ""),
    await call("fs/close", { handleId: "w" }),
    await call("fs/readFile", { path: uri("/new") }),
  ];
  const length = (what: string) =>
    refused(`file ${what} block length must be between 1 and 1048576`);
  const badDescriptor = refused("Bad file descriptor (os error 9)", -32_603);
  expect(answers).toEqual([
    { result: { handleId: "r" } },
    refused("file handle `r` already exists"),
    refused("path `/work/d/sub` is not a file"),
    notFound,
    { result: { chunk: base64("lo\n"), eof: true } },
    { result: { chunk: base64("hello\n"), eof: false } },
    { result: { chunk: "", eof: true } },
    length("read"),
    length("read"),
    refused("unknown file handle `nope`", -32_004),
    badDescriptor,
    { result: {} },
    { result: {} },
    { result: { handleId: "w" } },
    badDescriptor,
    { result: {} },
    { result: {} },
    length("write"),
    { result: {} },
    { result: { dataBase64: base64("abcdef") } },
  ]);
});

test("a file that is changed while it is open is not read as a mixture", async () => {
  const { client } = await open();
  await client.call("fs/open", { handleId: "r", path: uri("/f.txt") });
  await client.call("fs/writeFile", { path: uri("/f.txt"), dataBase64: base64("other") });
  expect(await client.call("fs/readBlock", { handleId: "r", offset: 0, len: 9 })).toMatchObject(
    refused("the file was changed while it was open", -32_603),
  );
});

test("what is held of files that are being replaced is bounded", async () => {
  const { client } = await open();
  await client.call("fs/open", { handleId: "w", path: uri("/new"), mode: "replace" });
  const far = { handleId: "w", offset: 64 * 1024 * 1024, chunk: base64("x") };
  expect(await client.call("fs/writeBlock", far)).toMatchObject(
    refused("files are too large: the limit is 67108864 bytes"),
  );
});

test("the extensions of files: rename, mode, atomic, range, kinds of errors", async () => {
  const { client } = await open("all");
  const answers = [
    await client.call("fs/writeFile", {
      path: uri("/f.txt"),
      dataBase64: base64("0123456789"),
      mode: 0o600,
      atomic: true,
    }),
    await client.call("fs/rename", { sourcePath: uri("/f.txt"), destinationPath: uri("/g") }),
    await client.call("fs/getMetadata", { path: uri("/g") }),
    await client.call("fs/readRange", { path: uri("/g"), offset: 2, length: 3 }),
    await client.call("fs/readFile", { path: uri("/f.txt") }),
    await client.call("fs/readFile", { path: uri("") }),
  ];
  expect(answers).toMatchObject([
    { result: {} },
    { result: {} },
    { result: { size: 10, mode: 0o600 } },
    { result: { dataBase64: base64("234") } },
    { error: { code: -32_004, data: { kind: "notFound" } } },
    { error: { code: -32_600, data: { kind: "isDirectory" } } },
  ]);
});

test("file changes and what follows them in one burst keep their order", async () => {
  const { client } = await openCurrent();
  const path = "file:///work/file";
  const answers = await Promise.all([
    client.call("fs/writeFile", { path, dataBase64: base64("one") }),
    client.call("fs/readFile", { path }),
    client.call("fs/writeFile", { path, dataBase64: base64("two") }),
    client.call("fs/readFile", { path }),
    client.call("fs/remove", { path }),
    client.call("fs/getMetadata", { path }),
  ]);
  expect(answers).toMatchObject([
    { result: {} },
    { result: { dataBase64: base64("one") } },
    { result: {} },
    { result: { dataBase64: base64("two") } },
    { result: {} },
    notFound,
  ]);
});

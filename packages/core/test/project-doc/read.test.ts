import { FileSystemError, type FileSystem, osError } from "@codex/environment";
import {
  createCountingFileSystem,
  createMemoryFileSystem,
  type MemoryFiles,
} from "@codex/environment/testing";
import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { loadProjectDocs, type LoadOptions } from "../../src/project-doc/read.ts";

function load(fileSystem: FileSystem, cwd: string, options: Partial<LoadOptions> = {}) {
  return loadProjectDocs({
    fileSystem,
    cwd: toAbsolutePath(cwd),
    markers: [".git"],
    fallbackFilenames: [],
    maxBytes: 4096,
    ...options,
  });
}

async function textOf(files: MemoryFiles, cwd: string, options?: Partial<LoadOptions>) {
  return (await load(createMemoryFileSystem(files), cwd, options)).text;
}

const nothing = { text: undefined, sources: [], warnings: [] };

describe("project-doc.md 10: which docs", () => {
  test.each([
    ["1: none", { "/r/": "" }, "/r", {}, undefined],
    ["2: one", { "/r/AGENTS.md": "hello world" }, "/r", {}, "hello world"],
    [
      "4: a .git file marks the root, cwd two levels deeper",
      { "/r/.git": "gitdir: x", "/r/AGENTS.md": "root level doc", "/r/a/b/": "" },
      "/r/a/b",
      {},
      "root level doc",
    ],
    [
      "13: outermost first, joined by a blank line",
      { "/r/.git": "", "/r/AGENTS.md": "root doc", "/r/crate/AGENTS.md": "crate doc" },
      "/r/crate",
      {},
      "root doc\n\ncrate doc",
    ],
    [
      "14: configured markers, the nearer .git is none of them",
      {
        "/p/.codex-root": "",
        "/p/AGENTS.md": "parent doc",
        "/p/child/.git/": "",
        "/p/child/AGENTS.md": "child doc",
      },
      "/p/child",
      { markers: [".codex-root"] },
      "parent doc\n\nchild doc",
    ],
    [
      "15: the override wins",
      { "/r/AGENTS.override.md": "local", "/r/AGENTS.md": "versioned" },
      "/r",
      {},
      "local",
    ],
    [
      "16: a fallback name",
      { "/r/EXAMPLE.md": "example" },
      "/r",
      { fallbackFilenames: ["EXAMPLE.md"] },
      "example",
    ],
    [
      "17: AGENTS.md before fallback names",
      { "/r/AGENTS.md": "primary", "/r/EXAMPLE.md": "secondary" },
      "/r",
      { fallbackFilenames: ["EXAMPLE.md", ".example.md"] },
      "primary",
    ],
    [
      "without a marker only cwd is searched",
      { "/r/AGENTS.md": "above", "/r/a/AGENTS.md": "here" },
      "/r/a",
      {},
      "here",
    ],
    [
      "11: an empty marker list searches only cwd",
      { "/r/.git": "", "/r/AGENTS.md": "above", "/r/a/AGENTS.md": "here" },
      "/r/a",
      { markers: [] },
      "here",
    ],
    [
      "the nearest of two roots counts, nothing above it is read",
      { "/r/.git": "", "/r/AGENTS.md": "outer", "/r/a/.git": "", "/r/a/AGENTS.md": "inner" },
      "/r/a",
      {},
      "inner",
    ],
    [
      "a root of which nothing else is there",
      { "/.git": "", "/AGENTS.md": "top", "/r/": "" },
      "/r",
      {},
      "top",
    ],
    [
      "11: blank and double fallback names are dropped, one may name a folder",
      { "/r/docs/AGENT.md": "in a folder" },
      "/r",
      { fallbackFilenames: ["", " ", "AGENTS.md", "docs/AGENT.md"] },
      "in a folder",
    ],
    [
      "11: a directory called AGENTS.md is passed over",
      { "/r/AGENTS.md/": "", "/r/EXAMPLE.md": "example" },
      "/r",
      { fallbackFilenames: ["EXAMPLE.md"] },
      "example",
    ],
    ["a cwd that does not exist", { "/r/": "" }, "/r/none/deeper", {}, undefined],
    [
      "the walk stops at the mapped root",
      { "/.git": "", "/AGENTS.md": "outside", "/w/AGENTS.md": "root", "/w/a/AGENTS.md": "here" },
      "/w/a",
      { stopAt: toAbsolutePath("/w") },
      "here",
    ],
    [
      "a mapped root that does not hold cwd does not stop it",
      { "/r/.git": "", "/r/AGENTS.md": "root", "/r/a/": "" },
      "/r/a",
      { stopAt: toAbsolutePath("/w") },
      "root",
    ],
  ])("%s", async (_, files: MemoryFiles, cwd, options: Partial<LoadOptions>, expected) => {
    expect(await textOf(files, cwd, options)).toBe(expected);
  });

  test("11: a dangling link is passed over, a link to a file outside the root is followed", async () => {
    const fileSystem = createMemoryFileSystem({ "/r/.git": "", "/elsewhere": "linked" });
    await fileSystem.makeSymlink("/nowhere", toAbsolutePath("/r/AGENTS.override.md"));
    await fileSystem.makeSymlink("/elsewhere", toAbsolutePath("/r/AGENTS.md"));
    expect(await load(fileSystem, "/r")).toEqual({
      text: "linked",
      sources: [{ path: "/r/AGENTS.md", bytes: 6 }],
      warnings: [],
    });
  });
});

describe("project-doc.md 4 and 11: the budget", () => {
  test("3: a larger file is cut to the byte, with a warning that names it and both sizes", async () => {
    const fileSystem = createMemoryFileSystem({ "/r/AGENTS.md": "A".repeat(2048) });
    expect(await load(fileSystem, "/r", { maxBytes: 1024 })).toEqual({
      text: "A".repeat(1024),
      sources: [{ path: "/r/AGENTS.md", bytes: 1024 }],
      warnings: [
        "Project doc `/r/AGENTS.md` has 2048 bytes; only its first 1024 bytes are used (project_doc_max_bytes = 1024 for all docs)",
      ],
    });
  });

  test("5: budget 0 asks the file system nothing", async () => {
    const fileSystem = createCountingFileSystem(createMemoryFileSystem({ "/r/AGENTS.md": "x" }));
    expect(await load(fileSystem, "/r", { maxBytes: 0 })).toEqual(nothing);
    expect(fileSystem.count().calls).toEqual([]);
  });

  test("11: a budget that ends inside the second of three docs leaves the third out", async () => {
    const fileSystem = createMemoryFileSystem({
      "/r/.git": "",
      "/r/AGENTS.md": "12345",
      "/r/a/AGENTS.md": "abcdef",
      "/r/a/b/AGENTS.md": "third",
    });
    expect(await load(fileSystem, "/r/a/b", { maxBytes: 8 })).toEqual({
      text: "12345\n\nabc",
      sources: [
        { path: "/r/AGENTS.md", bytes: 5 },
        { path: "/r/a/AGENTS.md", bytes: 3 },
      ],
      warnings: [
        "Project doc `/r/a/AGENTS.md` has 6 bytes; only its first 3 bytes are used (project_doc_max_bytes = 8 for all docs)",
        "Project doc `/r/a/b/AGENTS.md` has 5 bytes; none of it is used (project_doc_max_bytes = 8 for all docs)",
      ],
    });
  });

  test.each([5, 6, 7, 8])(
    "11: a budget of %i ends before the emoji it would cut",
    async (maxBytes) => {
      const fileSystem = createMemoryFileSystem({
        "/r/.git": "",
        "/r/AGENTS.md": "abcd\u{1F600}!",
        "/r/a/AGENTS.md": "next",
      });
      const { text } = await load(fileSystem, "/r/a", { maxBytes });
      expect(text).toBe(maxBytes === 8 ? "abcd\u{1F600}" : "abcd");
    },
  );

  test("11: a blank root doc costs nothing and leaves no separator", async () => {
    const files = { "/r/.git": "", "/r/AGENTS.md": " \n".repeat(50), "/r/a/AGENTS.md": "12345" };
    expect(await textOf(files, "/r/a", { maxBytes: 5 })).toBe("12345");
  });

  test("11: a byte that is not UTF-8 is one mark, the rest is intact", async () => {
    const files = { "/r/AGENTS.md": Buffer.from([0x61, 0xff, 0x62, 0x0a]) };
    expect(await textOf(files, "/r")).toBe("a\uFFFDb\n");
  });

  test("no more than the budget is read where the side can tell sizes", async () => {
    const memory = createMemoryFileSystem({ "/r/AGENTS.md": "x".repeat(1_000_000) });
    const asked: unknown[] = [];
    const readRange: FileSystem["readRange"] = (path, range) => {
      asked.push(range);
      return memory.readRange(path, range);
    };
    await load({ ...memory, readRange }, "/r", { maxBytes: 1000 });
    expect(asked).toEqual([{ offset: 0, length: 1001 }]);
  });

  test("where the side cannot tell a size, the warning has it all the same", async () => {
    const memory = createMemoryFileSystem({ "/r/AGENTS.md": "x".repeat(2000) });
    const getMetadata: FileSystem["getMetadata"] = async (path) => ({
      ...(await memory.getMetadata(path)),
      size: undefined,
    });
    const { warnings } = await load({ ...memory, getMetadata }, "/r", { maxBytes: 1000 });
    expect(warnings).toEqual([
      "Project doc `/r/AGENTS.md` has 2000 bytes; only its first 1000 bytes are used (project_doc_max_bytes = 1000 for all docs)",
    ]);
  });
});

describe("project-doc.md 9: what goes wrong", () => {
  const files = {
    "/r/.git": "",
    "/r/AGENTS.md": "root",
    "/r/a/AGENTS.md": "middle",
    "/r/a/b/AGENTS.md": "here",
  };

  /** The memory file system, but calls about one path fail. */
  function failing(call: "getMetadata" | "readRange", path: string, error: FileSystemError) {
    const memory = createMemoryFileSystem(files);
    return {
      ...memory,
      [call]: (at: string, ...rest: never[]) =>
        at === path
          ? Promise.reject(error)
          : (memory[call] as (...args: unknown[]) => unknown)(at, ...rest),
    } as FileSystem;
  }

  test("a marker nobody may look for counts as missing, with a warning", async () => {
    const denied = osError("EACCES", "/r/a/.git");
    expect(await load(failing("getMetadata", "/r/a/.git", denied), "/r/a/b")).toMatchObject({
      text: "root\n\nmiddle\n\nhere",
      warnings: ["Could not look for `/r/a/.git`: Permission denied (os error 13)"],
    });
  });

  test("a marker above the root is nobody's concern", async () => {
    const denied = osError("EACCES", "/.git");
    expect((await load(failing("getMetadata", "/.git", denied), "/r")).warnings).toEqual([]);
  });

  test("a candidate nobody may look for costs itself only", async () => {
    const denied = osError("EACCES", "/r/a/AGENTS.md");
    expect(await load(failing("getMetadata", "/r/a/AGENTS.md", denied), "/r/a/b")).toMatchObject({
      text: "root\n\nhere",
      warnings: ["Could not look for `/r/a/AGENTS.md`: Permission denied (os error 13)"],
    });
  });

  test("a doc that cannot be read costs itself only", async () => {
    const denied = osError("EACCES", "/r/a/AGENTS.md");
    expect(await load(failing("readRange", "/r/a/AGENTS.md", denied), "/r/a/b")).toMatchObject({
      text: "root\n\nhere",
      warnings: ["Project doc `/r/a/AGENTS.md` could not be read: Permission denied (os error 13)"],
    });
  });

  test("a doc that is gone since it was found is skipped in silence", async () => {
    const gone = osError("ENOENT", "/r/a/AGENTS.md");
    expect(await load(failing("readRange", "/r/a/AGENTS.md", gone), "/r/a/b")).toMatchObject({
      text: "root\n\nhere",
      warnings: [],
    });
  });

  test.each(["getMetadata", "readRange"] as const)("a lost executor rejects (%s)", async (call) => {
    const lost = new FileSystemError("lost", "/r/AGENTS.md", "the executor is gone");
    await expect(load(failing(call, "/r/AGENTS.md", lost), "/r/a/b")).rejects.toBe(lost);
  });

  test("an abort rejects with its reason", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(load(createMemoryFileSystem(files), "/r", { signal })).rejects.toThrow("stop");
  });
});

test("sixty questions listening to the signal of a run are no leak to Node", async () => {
  const memory = createMemoryFileSystem({ "/r/AGENTS.md": "x" });
  const getMetadata: FileSystem["getMetadata"] = (path, options) => {
    options?.signal?.addEventListener("abort", () => {});
    return memory.getMetadata(path, options);
  };
  const warnings: string[] = [];
  const listen = ({ name }: Error) => void warnings.push(name);
  process.on("warning", listen);
  const { signal } = new AbortController();
  await load({ ...memory, getMetadata }, `/r${"/d".repeat(20)}`, { signal });
  await new Promise(setImmediate);
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});

test.each([1, 20])("seed row G17: two round trips at depth %i", async (depth) => {
  const cwd = `/r${"/d".repeat(depth)}`;
  const files = { "/r/.git": "", "/r/AGENTS.md": "root", [`${cwd}/AGENTS.md`]: "here" };
  const fileSystem = createCountingFileSystem(createMemoryFileSystem(files));
  const { text } = await load(fileSystem, cwd, { markers: [".git", ".hg"] });
  expect(text).toBe("root\n\nhere");
  expect(fileSystem.count().roundTrips).toBe(2);
});

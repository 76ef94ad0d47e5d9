import * as z from "zod";
import { expect, test } from "vitest";
import { checkAgainst, execServerV0, FsReadDirectoryEntry } from "../src/index.ts";

const { requests, serverNotifications, clientNotifications } = execServerV0;
const start = { processId: "p", argv: ["true"], cwd: "/", env: {}, tty: false, arg0: null };

test("seed K1: the version and the method names", () => {
  const names = (table: Record<string, { method: string }>) =>
    Object.values(table).map(({ method }) => method);
  expect(execServerV0.protocolVersion).toBe("exec-server.v0");
  expect(names(requests)).toEqual([
    "initialize",
    "process/start",
    "process/read",
    "process/write",
    "process/terminate",
    "fs/readFile",
    "fs/writeFile",
    "fs/createDirectory",
    "fs/getMetadata",
    "fs/readDirectory",
    "fs/remove",
    "fs/copy",
  ]);
  expect(names(serverNotifications)).toEqual(["process/output", "process/exited"]);
  expect(names(clientNotifications)).toEqual(["initialized"]);
});

test.each([
  [start],
  [{ ...start, arg0: "name", tty: true, sandbox: { mode: "none" }, env: { A: "1" } }],
  [{ ...start, sandbox: null }],
  [{ ...start, cwd: "relative" }],
  [{ ...start, argv: [] }],
])("seed K4, L19: start params are taken: %j", (params) => {
  expect(checkAgainst(requests.processStart.params, params)).toEqual({ ok: true, value: params });
});

test.each(["processId", "argv", "cwd", "env", "tty"])(
  "seed K4: start without %s is refused by name",
  (key) => {
    expect(checkAgainst(requests.processStart.params, { ...start, [key]: undefined })).toEqual({
      ok: false,
      message: `missing field \`${key}\``,
    });
  },
);

test("a wrong field is named, its content is not repeated", () => {
  const checked = checkAgainst(requests.processStart.params, { ...start, env: { KEY: 12345 } });
  expect(checked).toEqual({
    ok: false,
    message: "invalid field `env.KEY`: Invalid input: expected string, received number",
  });
});

test.each([
  [{ env: [] }],
  [{ argv: "true" }],
  [{ sandbox: {} }],
  [{ sandbox: { mode: "other" } }],
  [{ sandbox: "none" }],
  [{ tty: "yes" }],
  [{ arg0: 1 }],
])("seed K4, K6: start with %j is refused", (bad) => {
  expect(checkAgainst(requests.processStart.params, { ...start, ...bad }).ok).toBe(false);
});

test.each([[{ afterSeq: -1 }], [{ afterSeq: 1.5 }], [{ maxBytes: "1" }], [{ waitMs: -5 }]])(
  "seed K7: read with %j is refused",
  (bad) => {
    expect(checkAgainst(requests.processRead.params, { processId: "p", ...bad }).ok).toBe(false);
  },
);

test("paths are absolute, plain or as a URI", () => {
  const ok = (path: unknown) => checkAgainst(requests.fsReadFile.params, { path }).ok;
  expect([ok("/a"), ok("file:///a"), ok("a"), ok(""), ok(1), ok("/a\0b")]).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("seed B1: a directory entry without `isSymlink` is refused", () => {
  const entry = { fileName: "a", isDirectory: false, isFile: true };
  expect(FsReadDirectoryEntry.safeParse(entry).success).toBe(false);
  expect(FsReadDirectoryEntry.parse({ ...entry, isSymlink: false })).toEqual({
    ...entry,
    isSymlink: false,
  });
});

test("seed B2: every field of every message is described in its JSON Schema", () => {
  const undescribed: string[] = [];
  const look = (schema: unknown, at: string) => {
    const { properties, items } = schema as Record<string, Record<string, object> | undefined>;
    for (const [key, value] of Object.entries(properties ?? {})) {
      const described = "description" in value || "properties" in value || "anyOf" in value;
      if (!described) undescribed.push(`${at}.${key}`);
      look(value, `${at}.${key}`);
    }
    if (items !== undefined) look(items, `${at}[]`);
  };
  for (const { method, params, result } of Object.values(requests)) {
    look(z.toJSONSchema(params, { io: "input" }), `${method} params`);
    look(z.toJSONSchema(result), `${method} result`);
  }
  for (const { method, params } of Object.values(serverNotifications))
    look(z.toJSONSchema(params), method);
  expect(undescribed).toEqual([]);
});

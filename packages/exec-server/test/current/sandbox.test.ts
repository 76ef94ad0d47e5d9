import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createLocalEnvironment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { expect, onTestFinished, test } from "vitest";
import { connectBare } from "../server/bare-client.ts";
import { base64, hello, openCurrent, refused, startCurrent } from "./open-current.ts";

const special = (kind: string, access: string, subpath?: string) => ({
  path: { type: "special", value: { kind, ...(subpath !== undefined && { subpath }) } },
  access,
});
const path = (uri: string, access: string) => ({ path: { type: "path", path: uri }, access });
const skip = (entry: object) => ({ ...entry, missing_path_behavior: "skip" });

/** A sandbox as the original's CLI sends it. */
function sandboxOf(entries: readonly object[], extra: object = {}, root = "file:///work") {
  return {
    permissions: {
      type: "managed",
      file_system: { type: "restricted", entries },
      network: "restricted",
    },
    cwd: root,
    policyContext: { cwd: root, workspaceRoots: [root] },
    workspaceRoots: [root],
    userHomeDir: "file:///home/user",
    windowsSandboxLevel: "disabled",
    windowsSandboxProxySettingsMode: "reconcile",
    useLegacyLandlock: false,
    ...extra,
  };
}

const readAll = special("root", "read");
const workspaceWrite = [
  readAll,
  special("project_roots", "write"),
  special("slash_tmp", "write"),
  special("tmpdir", "write"),
  ...[".git", ".agents", ".codex", ".aws"].map((name) =>
    skip(special("project_roots", "read", name)),
  ),
];
const named = ["/work/.git", "/work/.agents", "/work/.codex", "/work/.aws"];
const nothingElse = { includeSlashTmp: false, includeTmpdir: false, networkAccess: false };

test.each<[string, object, object]>([
  ["read-only", sandboxOf([readAll]), { mode: "read-only", networkAccess: false }],
  [
    "read-only with network",
    sandboxOf([readAll], {
      permissions: {
        type: "managed",
        file_system: { type: "restricted", entries: [readAll] },
        network: "enabled",
      },
    }),
    { mode: "read-only", networkAccess: true },
  ],
  [
    "workspace-write, with the names it keeps",
    sandboxOf(workspaceWrite),
    {
      mode: "workspace-write",
      writableRoots: ["/work"],
      includeSlashTmp: true,
      includeTmpdir: true,
      networkAccess: false,
      readOnlyPaths: named,
    },
  ],
  [
    "further roots, and none of the folders for temporary files",
    sandboxOf([readAll, special("project_roots", "write"), path("file:///more", "write")]),
    { mode: "workspace-write", writableRoots: ["/work", "/more"], ...nothingElse },
  ],
  [
    "a part of the workspace",
    sandboxOf([readAll, special("project_roots", "write", "a/b")]),
    { mode: "workspace-write", writableRoots: ["/work/a/b"], ...nothingElse },
  ],
  [
    "no named roots: the working directory is one",
    sandboxOf([readAll, special("project_roots", "write")], {
      workspaceRoots: null,
      policyContext: null,
    }),
    { mode: "workspace-write", writableRoots: ["/work"], ...nothingElse },
  ],
])("exec-server.md 2: %s is the intent of a start", async (_what, sandbox, intent) => {
  const { client, environment } = await openCurrent();
  expect(
    await client.call("process/start", startCurrent("p", ["idle"], { sandbox })),
  ).toMatchObject({ result: { sandboxType: "linuxSeccomp" } });
  expect(environment.starts[0]?.options.sandbox).toEqual(intent);
});

const cannot = "sandbox intent cannot be enforced on this executor:";

test.each<[string, object, string]>([
  ["nothing", {}, "missing field `permissions`"],
  ["another kind", { permissions: { type: "external" } }, "invalid field `permissions.type`"],
  ["a further field", sandboxOf([readAll], { denyExec: ["/bin/sh"] }), "Unrecognized key"],
  ["another access", sandboxOf([readAll, path("file:///x", "none")]), "invalid field"],
  ["another part", sandboxOf([readAll, special("home", "write")]), "invalid field"],
  ["restricted reading", sandboxOf([special("project_roots", "write")]), "reading is restricted"],
  ["the whole disk", sandboxOf([readAll, special("root", "write")]), "the whole disk is writable"],
  [
    "a way out",
    sandboxOf([readAll, special("project_roots", "write", "../x")]),
    "a subpath leads out of its root",
  ],
  [
    "two answers",
    sandboxOf([readAll, special("project_roots", "write")], {
      policyContext: { workspaceRoots: ["file:///other"] },
    }),
    "`policyContext` has other workspace roots",
  ],
  [
    "no roots",
    sandboxOf([readAll, special("project_roots", "write")], {
      cwd: null,
      workspaceRoots: null,
      policyContext: null,
    }),
    "there are no workspace roots",
  ],
])("a sandbox with %s is refused, for starts and for files", async (_what, sandbox, why) => {
  const { client, environment } = await openCurrent();
  const calls = [
    client.call("process/start", startCurrent("p", ["idle"], { sandbox })),
    client.call("fs/writeFile", { path: "file:///work/f", dataBase64: "", sandbox }),
    client.call("fs/readFile", { path: "file:///work/f", sandbox }),
  ];
  for (const call of calls)
    expect(await call).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining(`${cannot} ${why}`) },
    });
  expect(environment.starts).toEqual([]);
});

test("every changing file call is held to its sandbox", async () => {
  const files = { "/work/.aws/x": "", "/work/f": "", "/outside/f": "" };
  const { client } = await openCurrent({ files });
  const sandbox = sandboxOf(workspaceWrite);
  const dataBase64 = base64("x");
  const allowed = [
    await client.call("fs/writeFile", { path: "file:///work/f", dataBase64, sandbox }),
    await client.call("fs/createDirectory", { path: "file:///work/d", sandbox }),
    await client.call("fs/open", {
      handleId: "a",
      path: "file:///work/h",
      mode: "replace",
      sandbox,
    }),
    await client.call("fs/close", { handleId: "a" }),
  ];
  expect(allowed.filter((answer) => "error" in answer)).toEqual([]);
  const outside = "file:///outside";
  const denied = [
    await client.call("fs/writeFile", { path: `${outside}/f`, dataBase64, sandbox }),
    await client.call("fs/writeFile", { path: "file:///work/.aws/x", dataBase64, sandbox }),
    await client.call("fs/createDirectory", { path: `${outside}/d`, sandbox }),
    await client.call("fs/remove", { path: `${outside}/f`, sandbox }),
    await client.call("fs/copy", {
      sourcePath: "file:///work/f",
      destinationPath: `${outside}/g`,
      recursive: false,
      sandbox,
    }),
    await client.call("fs/open", { handleId: "b", path: `${outside}/f`, mode: "replace", sandbox }),
  ];
  expect(denied).toEqual(
    denied.map(() => ({
      id: expect.any(Number),
      error: { code: -32_603, message: expect.stringMatching(/^the sandbox does not allow/) },
    })),
  );
});

test("our own intent is taken instead of the original's, never beside it", async () => {
  const { client, environment } = await openCurrent({ extensions: "all" });
  const sandboxIntent = { mode: "read-only", networkAccess: false };
  const start = (id: string, extra: object) =>
    client.call("process/start", startCurrent(id, ["idle"], extra));
  expect(await start("p", { sandboxIntent })).toMatchObject({
    result: { sandboxType: "linuxSeccomp" },
  });
  expect(environment.starts[0]?.options.sandbox).toEqual(sandboxIntent);
  expect(await start("q", { sandboxIntent, sandbox: sandboxOf([readAll]) })).toMatchObject(
    refused("fields `sandbox` and `sandboxIntent` exclude each other", -32_602),
  );
  const write = { path: "file:///work/f", dataBase64: "", sandboxIntent };
  expect(await client.call("fs/writeFile", write)).toMatchObject({
    error: { data: { kind: "sandboxDenied" } },
  });
  expect(
    await start("r", { sandboxIntent: { mode: "read-only", networkAccess: false, more: 1 } }),
  ).toMatchObject({ error: { code: -32_602 } });
});

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
if (!hasBubblewrap) console.log("skipped: bwrap is not installed");

test.skipIf(!hasBubblewrap)("the original's workspace-write holds for a real command", async () => {
  const root = toAbsolutePath(await realpath(await mkdtemp(`${tmpdir()}/current-sandbox-`)));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const work = `${root}/work`;
  await mkdir(`${work}/.aws`, { recursive: true });
  const environment = createLocalEnvironment({ cwd: root, variables: process.env });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  await using client = connectBare({ environment });
  await hello(client, { resumeSessionId: null });
  const uri = `file://${work}`;
  const entries = workspaceWrite.filter((entry) => !isTemporary(entry));
  const script = "for f in ok .aws/x .git ../out; do touch $f && echo $f; done";
  await client.call("process/start", {
    ...startCurrent("p", ["/bin/sh", "-c", `${script} 2>/dev/null; grep -c : /proc/net/dev`]),
    cwd: uri,
    env: { PATH: process.env["PATH"] ?? "" },
    sandbox: sandboxOf(entries, {}, uri),
  });
  await client.notification("the close", ({ method }) => method === "process/closed");
  const text = client.notifications
    .map(({ params }) => params as { readonly stream?: string; readonly chunk?: string })
    .filter(({ stream }) => stream === "stdout")
    .map(({ chunk = "" }) => Buffer.from(chunk, "base64").toString())
    .join("");
  expect(text).toBe("ok\n1\n");
  expect((await readdir(work)).toSorted()).toEqual([".aws", "ok"]);
  expect(await readdir(root)).toEqual(["work"]);
});

function isTemporary(entry: object): boolean {
  const text = JSON.stringify(entry);
  return text.includes("slash_tmp") || text.includes("tmpdir");
}

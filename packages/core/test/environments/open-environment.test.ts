import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Environment, exactEnvironment } from "@codex/environment";
import { fullAccess, joinPath, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Config, EnvironmentError, loadConfig, openEnvironment } from "../../src/index.ts";

const useKey = "experimental_unified_exec_use_exec_server=true";
const urlKey = "experimental_unified_exec_exec_server_websocket_url";
const rootKey = "experimental_unified_exec_exec_server_workspace_root";

describe("openEnvironment", () => {
  test("J4: without the switch the work is here, whatever the other keys say", async () => {
    const folder = await workspace({ here: "1" });
    const environment = await open(folder, [`${urlKey}="ws://127.0.0.1:1"`, `${rootKey}="/far"`]);
    expect(environment.name).toBe("local");
    expect(await environment.info()).toMatchObject({ cwd: folder });
    expect(await text(environment, `${folder}/here`)).toBe("1");
  });

  test("J8: with nothing but the switch a server in this process does the work", async () => {
    const folder = await workspace({ here: "1" });
    const environment = await open(folder, [useKey]);
    expect(environment.name).toBe("in-process");
    expect(await environment.info()).toMatchObject({ cwd: folder, home: "/home/near" });
    expect(await text(environment, `${folder}/here`)).toBe("1");
    expect(await run(environment, "pwd", folder)).toBe(`${folder}\n`);
  });

  test("D5: a workspace root maps the session's folder, by its name and by its real path", async () => {
    const near = await workspace({ file: "near" });
    const far = await workspace({ file: "far" });
    const link = `${near}-link`;
    await symlink(near, link);
    const environment = await open(link, [useKey, `${rootKey}=${JSON.stringify(`${far}/`)}`]);
    expect((await environment.info()).cwd).toBe(far);
    for (const root of [link, near, far])
      expect(await text(environment, `${root}/file`)).toBe("far");
    expect(await run(environment, "pwd", link)).toBe(`${far}\n`);
    await environment.fileSystem.writeFile(path(`${link}/new`), Buffer.from("x"));
    expect(await readFile(`${far}/new`, "utf8")).toBe("x");
  });

  test("a workspace root that is not absolute is an error that names the environment", async () => {
    const config = await configOf(await workspace(), [useKey]);
    const environment = { ...config.environment, workspaceRoot: "sub" } as Config["environment"];
    await expect(openEnvironment({ ...config, environment }, { variables: {} })).rejects.toThrow(
      new EnvironmentError("in-process", "its workspace root must be absolute, not sub"),
    );
  });

  test("J9: no client, no session: the client's text is the error, with the environment's name and its cause", async () => {
    const folder = await workspace();
    const opening = open(folder, [useKey, `${urlKey}="ws://127.0.0.1:1"`]);
    await expect(opening).rejects.toMatchObject({
      name: "EnvironmentError",
      environment: "remote",
      message: expect.stringMatching(
        /^Failed to create unified exec process: environment `remote`: failed to connect to exec-server websocket `ws:\/\/127\.0\.0\.1:1`: /,
      ),
      cause: { name: "ExecServerError", kind: "connect" },
    });
  });

  test("J5: a URL beside spawn-local wins, and its token goes along", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer().on("upgrade", (request, socket) => {
      seen.push(request.headers.authorization);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const opening = open(
      await workspace(),
      [
        useKey,
        "experimental_unified_exec_spawn_local_exec_server=true",
        `${urlKey}=${JSON.stringify(` ${url} `)}`,
      ],
      { CODEX_EXEC_SERVER_CONNECTION_TOKEN: "secret" },
    );
    await expect(opening).rejects.toThrow(url);
    expect(seen).toEqual(["Bearer secret"]);
  });

  test("J7: without a server of our own the name is looked up on the PATH", async () => {
    const folder = await workspace({ "codex-exec-server": "#!/bin/sh\necho no server; exit 3\n" });
    const variables = { PATH: `${folder}:/usr/bin:/bin` };
    await expect(open(folder, spawnLocal, variables)).rejects.toThrow(
      "Permission denied (os error 13)",
    );
    await expect(open(folder, spawnLocal, { PATH: "/nowhere" })).rejects.toThrow(
      "Failed to create unified exec process: environment `exec-server`: failed to spawn exec-server: No such file or directory (os error 2)",
    );
  });

  test("an abort gives up connecting with its reason", async () => {
    const reason = new Error("never mind");
    const config = await configOf(await workspace(), spawnLocal);
    const serverEntry = "/nowhere";
    const opening = openEnvironment(config, {
      variables: {},
      serverEntry,
      signal: AbortSignal.abort(reason),
    });
    await expect(opening).rejects.toBe(reason);
  });

  test("none: knows where it is and refuses everything else by its name", async () => {
    const folder = await workspace({ file: "x" });
    const environment = await open(folder, ['environment="none"']);
    expect(await environment.info()).toMatchObject({ cwd: folder });
    const refusal = {
      kind: "unsupported",
      environment: "none",
      message: "environment `none` runs no commands and has no files",
    };
    await expect(text(environment, `${folder}/file`)).rejects.toMatchObject(refusal);
    await expect(run(environment, "true", folder)).rejects.toMatchObject(refusal);
  });

  test("J10: a sandboxed command of a server in this process is enforced there", async () => {
    const folder = await workspace();
    const environment = await open(folder, [useKey], {}, "read-only");
    const sandbox = { mode: "read-only", networkAccess: false } as const;
    const marker = joinPath(path(folder), "marker");
    await expect(
      environment.fileSystem.writeFile(marker, Buffer.from(""), { sandbox }),
    ).rejects.toMatchObject({ kind: "sandboxDenied", environment: "in-process" });
    await expect(environment.fileSystem.writeFile(marker, Buffer.from(""))).rejects.toMatchObject({
      kind: "sandboxDenied",
    });
  });
});

const spawnLocal = [useKey, "experimental_unified_exec_spawn_local_exec_server=true"];

async function workspace(files: Record<string, string> = {}): Promise<string> {
  const folder = await temporaryDirectory();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const root = `${folder.path}/workspace`;
  await mkdir(root);
  for (const [name, content] of Object.entries(files)) await writeFile(`${root}/${name}`, content);
  return root;
}

async function configOf(
  cwd: string,
  overrides: readonly string[],
  variables: Record<string, string> = {},
  sandboxMode = "danger-full-access",
): Promise<Config> {
  const { config } = await loadConfig({
    variables,
    codexHome: "/nonexistent",
    cwd,
    homeDirectory: "/",
    flags: { overrides: [`sandbox_mode="${sandboxMode}"`, ...overrides] },
  });
  return config;
}

async function open(
  cwd: string,
  overrides: readonly string[],
  variables: Record<string, string> = {},
  sandboxMode?: string,
): Promise<Environment> {
  const config = await configOf(cwd, overrides, variables, sandboxMode);
  const environment = await openEnvironment(config, {
    variables: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/home/near", ...variables },
  });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  return environment;
}

async function text(environment: Environment, name: string): Promise<string> {
  return Buffer.from(await environment.fileSystem.readFile(path(name))).toString();
}

async function run(environment: Environment, script: string, cwd: string): Promise<string> {
  await using process = await environment.start({
    argv: ["/bin/sh", "-c", script],
    cwd,
    env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  });
  let output = "";
  for await (const { bytes } of process.output) output += Buffer.from(bytes).toString();
  return output;
}

const path = toAbsolutePath;

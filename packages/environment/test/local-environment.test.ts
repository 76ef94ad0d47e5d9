import { createLocalEnvironment, type Environment, exactEnvironment } from "@codex/environment";
import { describeEnvironment, openLocalSubject } from "@codex/environment/testing";
import { fullAccess, type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

describeEnvironment("local", async () => {
  const { root, [Symbol.asyncDispose]: removeRoot } = await openLocalSubject();
  const environment = createLocalEnvironment({ cwd: root, variables: process.env });
  return {
    environment,
    root,
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await removeRoot();
    },
  };
});

describe("createLocalEnvironment", () => {
  test("info is built from the variables and the account it is given", async () => {
    const environment = open({
      variables: { HOME: "/home/somebody/", TMPDIR: "/var/scratch", PATH: "/bin" },
      userShell: "/bin/sh",
    });
    expect(await environment.info()).toEqual({
      cwd: "/work",
      home: "/home/somebody",
      tempDirectory: "/var/scratch",
      platform: process.platform,
      shell: { name: "sh", path: "/bin/sh" },
    });
  });

  test("without HOME and TMPDIR the account's home and /tmp are told", async () => {
    const { home, tempDirectory } = await open({ variables: {} }).info();
    expect({ home, tempDirectory }).toEqual({
      home: expect.stringMatching(/^\//),
      tempDirectory: "/tmp",
    });
  });

  test("a start that asks for more than the bound gets the bound, and is refused where it cannot be enforced", async () => {
    const environment = open({
      sandboxBound: { mode: "read-only", networkAccess: false },
      variables: { PATH: "/nowhere" },
    });
    await expect(start(environment, ["true"])).rejects.toMatchObject({
      kind: "sandboxUnavailable",
      environment: "local",
    });
  });

  test("a bound reaches the sandbox as the intent that is left", async () => {
    const wrapped: SandboxIntent[] = [];
    const environment = open({
      sandboxBound: { mode: "read-only", networkAccess: false },
      wrap: async ({ plain, intent }) => {
        wrapped.push(intent);
        return plain;
      },
    });
    await using process = await start(environment, ["true"]);
    await process.exit;
    expect(wrapped).toEqual([{ mode: "read-only", networkAccess: false }]);
  });

  test("disposing while a start is under way leaves nothing running", async () => {
    const environment = open({});
    const starting = start(environment, ["sleep", "60"]);
    const settled = starting.then(
      (process) => process.exit,
      (error: unknown) => error,
    );
    await environment[Symbol.asyncDispose]();
    expect(await settled).toSatisfy(
      (end: { code?: number; kind?: string }) => end.code === 137 || end.kind === "other",
    );
  });
});

function open(options: Partial<Parameters<typeof createLocalEnvironment>[0]>): Environment {
  const environment = createLocalEnvironment({
    cwd: toAbsolutePath("/work"),
    variables: process.env,
    ...options,
  });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  return environment;
}

function start(environment: Environment, argv: readonly string[]) {
  return environment.start({
    argv,
    cwd: "/",
    env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  });
}

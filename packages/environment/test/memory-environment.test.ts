import { type Environment, exactEnvironment } from "@codex/environment";
import {
  createMemoryEnvironment,
  describeEnvironment,
  memoryPrograms,
} from "@codex/environment/testing";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { expect, test } from "vitest";

describeEnvironment("in memory", async () => {
  const environment = createMemoryEnvironment({ cwd: "/work", programs: memoryPrograms });
  return {
    environment,
    root: toAbsolutePath("/work"),
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
});

test("C2: an environment is a value that holds a file system of any kind, and is read through it", async () => {
  const { fileSystem } = createMemoryEnvironment({ files: { "/work/AGENTS.md": "be brief" } });
  const shared: Environment = { ...createMemoryEnvironment({ name: "fake" }), fileSystem };
  const bytes = await shared.fileSystem.readFile(toAbsolutePath("/work/AGENTS.md"));
  expect(Buffer.from(bytes).toString()).toBe("be brief");
});

test("a program is scripted by the test: it prints, reads its input and ends", async () => {
  const environment = createMemoryEnvironment({
    programs: {
      ask: ({ process }) => process.print("name? "),
      broken: () => {
        throw new Error("no luck");
      },
    },
  });
  const options = {
    cwd: "/work",
    env: exactEnvironment({}),
    tty: { rows: 24, columns: 80 },
    stdin: "open",
    sandbox: fullAccess,
  } as const;
  const asking = await environment.start({ ...options, argv: ["ask"] });
  const output = asking.output[Symbol.asyncIterator]();
  expect(await output.next()).toEqual({
    done: false,
    value: { stream: "pty", bytes: new TextEncoder().encode("name? ") },
  });
  await asking.write(new TextEncoder().encode("me\n"));
  await asking.resize({ rows: 50, columns: 100 });
  await asking.signal("SIGINT");
  const [started] = environment.starts;
  expect([started?.process.input(), started?.process.received]).toEqual([
    "me\n",
    [{ rows: 50, columns: 100 }, "SIGINT"],
  ]);
  started?.process.finish({ code: 130, signal: "SIGINT" });
  expect(await output.next()).toEqual({ done: true, value: undefined });
  expect(await asking.exit).toEqual({ code: 130, signal: "SIGINT" });
  await asking.closed;

  const broken = await environment.start({ ...options, argv: ["broken"] });
  expect(await broken.exit).toEqual({ code: 1 });
});

test("a process whose executor is lost rejects everything with that reason", async () => {
  const environment = createMemoryEnvironment({ programs: memoryPrograms });
  const process = await environment.start({
    argv: ["sleep", "1"],
    cwd: "/work",
    env: exactEnvironment({}),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  });
  environment.starts[0]?.process.lose("the link went down");
  const lost = { name: "ProcessError", kind: "lost", message: "the link went down" };
  await expect(process.exit).rejects.toMatchObject(lost);
  await expect(process.closed).rejects.toMatchObject(lost);
  await expect(process.output[Symbol.asyncIterator]().next()).rejects.toMatchObject(lost);
});

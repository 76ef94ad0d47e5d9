import { type Environment, exactEnvironment, type SpawnOptions } from "@codex/environment";
import { type AbsolutePath, fullAccess, joinPath } from "@codex/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

/** An environment under test, with a fresh place in it. */
export interface EnvironmentSubject extends AsyncDisposable {
  readonly environment: Environment;
  /** An empty directory there, in the environment's own spelling, links resolved. */
  readonly root: AbsolutePath;
}

export type OpenEnvironment = () => Promise<EnvironmentSubject>;

/**
 * What an `Environment` promises beyond its two parts: that its files and processes are of one machine, that starts fail
 * with a kind, that disposing ends what it started. Files have their own suite (`describeFileSystem`), processes theirs
 * (in `@codex/pty/testing`).
 */
export function describeEnvironment(name: string, open: OpenEnvironment): void {
  describe(`environment: ${name}`, () => {
    test("info tells absolute paths and a shell, and the same each time", async () => {
      const { environment } = await openSubject(open);
      const info = await environment.info();
      expect(info).toEqual({
        cwd: expect.stringMatching(/^\//),
        home: expect.stringMatching(/^\//),
        tempDirectory: expect.stringMatching(/^\//),
        platform: expect.stringMatching(/^\w+$/),
        shell: {
          name: expect.stringMatching(/^(bash|zsh|sh)$/),
          path: expect.stringMatching(/^\/.*(bash|zsh|sh)$/),
        },
      });
      expect(await environment.info()).toEqual(info);
    });

    test("a process runs in its working directory and sees the files written there", async () => {
      const { environment, root } = await openSubject(open);
      const sub = joinPath(root, "sub");
      await environment.fileSystem.createDirectory(sub);
      await environment.fileSystem.writeFile(
        joinPath(sub, "file"),
        Buffer.from("from a file call"),
      );
      expect(await run(environment, ["pwd"], sub)).toEqual({ stdout: `${sub}\n`, code: 0 });
      expect(await run(environment, ["cat", "file"], sub)).toEqual({
        stdout: "from a file call",
        code: 0,
      });
    });

    test("what a process writes is there for a file call once it has closed", async () => {
      const { environment, root } = await openSubject(open);
      await environment.fileSystem.writeFile(joinPath(root, "from"), Buffer.from("copied"));
      expect(await run(environment, ["cp", "from", "to"], root)).toEqual({ stdout: "", code: 0 });
      const copied = await environment.fileSystem.readFile(joinPath(root, "to"));
      expect(Buffer.from(copied).toString()).toBe("copied");
    });

    test("a process gets the variables it is given, and its exit code is told", async () => {
      const { environment, root } = await openSubject(open);
      expect(await run(environment, ["false"], root)).toEqual({ stdout: "", code: 1 });
      const { stdout } = await run(environment, ["env"], root);
      expect(stdout.split("\n")).toContain("GIVEN=to it");
    });

    test("a program or a working directory that is missing is told apart, with the environment's name", async () => {
      const { environment, root } = await openSubject(open);
      const named = { name: "ProcessError", environment: environment.name };
      await expect(environment.start(command(["no-such-program"], root))).rejects.toMatchObject({
        ...named,
        kind: "notFound",
      });
      const missing = joinPath(root, "missing");
      await expect(environment.start(command(["pwd"], missing))).rejects.toMatchObject({
        ...named,
        kind: "badCwd",
      });
    });

    test("a missing file is told with the environment's name", async () => {
      const { environment, root } = await openSubject(open);
      await expect(
        environment.fileSystem.readFile(joinPath(root, "missing")),
      ).rejects.toMatchObject({ kind: "notFound", environment: environment.name });
    });

    test("aborting before the start rejects with the signal's reason", async () => {
      const { environment, root } = await openSubject(open);
      const reason = new Error("stopped");
      const signal = AbortSignal.abort(reason);
      await expect(environment.start(command(["pwd"], root), signal)).rejects.toBe(reason);
      await expect(environment.info(signal)).rejects.toBe(reason);
    });

    test("disposing ends every process it started, and nothing starts afterwards", async () => {
      const { environment, root } = await openSubject(open);
      const processes = [
        await environment.start(command(["sleep", "60"], root)),
        await environment.start(command(["sleep", "60"], root)),
      ];
      await environment[Symbol.asyncDispose]();
      await Promise.allSettled(processes.map(({ closed }) => closed));
      const ends = await Promise.all(processes.map(({ exit }) => exit.catch((error) => error)));
      // Killed here, or out of reach there: never an invented code.
      for (const end of ends)
        expect(end).toSatisfy(({ code, kind }) => code === 137 || kind === "lost");
      await expect(environment.start(command(["pwd"], root))).rejects.toMatchObject({
        name: "ProcessError",
      });
    });
  });
}

async function openSubject(open: OpenEnvironment): Promise<EnvironmentSubject> {
  const subject = await open();
  onTestFinished(() => subject[Symbol.asyncDispose]());
  return subject;
}

function command(argv: readonly string[], cwd: AbsolutePath): SpawnOptions {
  return {
    argv,
    cwd,
    env: exactEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin", GIVEN: "to it" }),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  };
}

async function run(environment: Environment, argv: readonly string[], cwd: AbsolutePath) {
  await using process = await environment.start(command(argv, cwd));
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of process.output) pieces.push(bytes);
  await process.closed;
  return { stdout: Buffer.concat(pieces).toString(), code: (await process.exit).code };
}

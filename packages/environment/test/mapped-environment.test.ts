import {
  createMappedEnvironment,
  type Environment,
  exactEnvironment,
  type SpawnOptions,
} from "@codex/environment";
import {
  createMemoryEnvironment,
  describeEnvironment,
  describeFileSystem,
  everyFileOffer,
  type MemoryEnvironment,
  memoryPrograms,
} from "@codex/environment/testing";
import { fullAccess, joinPath, type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";

const local = toAbsolutePath("/home/me/project");
const remote = toAbsolutePath("/srv/project");
const roots = { local: [local], environment: [remote] } as const;

function openMapped(files: Readonly<Record<string, string>> = {}): {
  far: MemoryEnvironment;
  mapped: Environment;
} {
  const far = createMemoryEnvironment({ cwd: "/elsewhere", files, programs: memoryPrograms });
  return { far, mapped: createMappedEnvironment(far, roots) };
}

describeEnvironment("mapped", async () => {
  const { mapped } = openMapped({ "/srv/project/": "" });
  return {
    environment: mapped,
    root: remote,
    [Symbol.asyncDispose]: () => mapped[Symbol.asyncDispose](),
  };
});

describeFileSystem("mapped", async () => {
  const { far, mapped } = openMapped({ "/srv/project/": "" });
  return {
    fileSystem: mapped.fileSystem,
    root: remote,
    offers: everyFileOffer,
    async makeSymlink(target, path) {
      await far.fileSystem.createDirectory(joinPath(path, ".."));
      await far.fileSystem.makeSymlink(target, path);
    },
    async makeUnreadableDirectory(parent) {
      await far.fileSystem.createDirectory(joinPath(parent, "closed"));
      far.fileSystem.makeUnreadable(joinPath(parent, "closed"));
      return "closed";
    },
    [Symbol.asyncDispose]: () => mapped[Symbol.asyncDispose](),
  };
});

describe("createMappedEnvironment", () => {
  const here = (relative: string) => toAbsolutePath(`${local}/${relative}`);
  const there = (relative: string) => toAbsolutePath(`${remote}/${relative}`);

  test("C8: every operation maps its path, and both paths of a copy and a rename", async () => {
    const { far, mapped } = openMapped({ "/srv/project/": "" });
    const files = mapped.fileSystem;
    await files.createDirectory(here("a/b"));
    await files.writeFile(here("a/b/file"), Buffer.from("0123"));
    await files.copy(here("a/b/file"), here("copy"));
    await files.rename(here("copy"), here("renamed"));
    await files.remove(here("a/b/file"));
    expect(await far.fileSystem.walk(there(""), { maxDepth: 9, maxEntries: 99 })).toEqual(
      await files.walk(local, { maxDepth: 9, maxEntries: 99 }),
    );
    expect({
      names: (await files.readDirectory(local)).map(({ fileName }) => fileName),
      file: Buffer.from(await files.readFile(here("renamed"))).toString(),
      range: Buffer.from(
        await files.readRange(here("renamed"), { offset: 1, length: 2 }),
      ).toString(),
      size: (await files.getMetadata(here("renamed"))).size,
    }).toEqual({ names: ["a", "renamed"], file: "0123", range: "12", size: 4 });
  });

  test("what comes back is in the environment's own spelling: real paths and paths in errors", async () => {
    const { mapped } = openMapped({ "/srv/project/file": "" });
    expect(await mapped.fileSystem.canonicalize(here("file"))).toBe(there("file"));
    await expect(mapped.fileSystem.readFile(here("missing"))).rejects.toMatchObject({
      kind: "notFound",
      path: there("missing"),
    });
  });

  test("C9: a path outside the workspace is asked for as it is, and not found where it is not", async () => {
    const { mapped } = openMapped({ "/etc/there": "far" });
    expect(await mapped.fileSystem.readFile(toAbsolutePath("/etc/there"))).toEqual(
      new TextEncoder().encode("far"),
    );
    await expect(
      mapped.fileSystem.readFile(toAbsolutePath("/home/me/other")),
    ).rejects.toMatchObject({ kind: "notFound", path: "/home/me/other" });
  });

  test("D6: a path put together from a listing leads to the same file", async () => {
    const { mapped } = openMapped({ "/srv/project/sub/file": "here" });
    const [entry] = await mapped.fileSystem.readDirectory(here("sub"));
    const root = (await mapped.info()).cwd;
    const again = joinPath(root, `sub/${entry?.fileName}`);
    expect(Buffer.from(await mapped.fileSystem.readFile(again)).toString()).toBe("here");
  });

  test("D4: a command's cwd is mapped when absolute, else passed on; its sandbox roots too", async () => {
    const { far, mapped } = openMapped({ "/srv/project/sub/": "", "/outside/": "" });
    const sandbox: SandboxIntent = {
      mode: "workspace-write",
      writableRoots: [local, "/outside", "relative"],
      includeSlashTmp: true,
      includeTmpdir: true,
      networkAccess: false,
    };
    for (const cwd of [here("sub"), "/outside"]) await mapped.start({ ...sleep(cwd), sandbox });
    expect(far.starts.map(({ options: { cwd, sandbox: sent } }) => ({ cwd, sent }))).toEqual(
      [there("sub"), "/outside"].map((cwd) => ({
        cwd,
        sent: { ...sandbox, writableRoots: [remote, "/outside", "relative"] },
      })),
    );
    await expect(mapped.start(sleep("relative"))).rejects.toMatchObject({ kind: "badCwd" });
    await mapped[Symbol.asyncDispose]();
  });

  test("the sandbox of a file call is mapped with its path", async () => {
    const { mapped } = openMapped({ "/srv/project/": "" });
    const sandbox: SandboxIntent = {
      mode: "workspace-write",
      writableRoots: [local],
      includeSlashTmp: false,
      includeTmpdir: false,
      networkAccess: false,
    };
    await mapped.fileSystem.writeFile(here("file"), Buffer.from("x"), { sandbox });
    await expect(
      mapped.fileSystem.writeFile(toAbsolutePath("/elsewhere/x"), Buffer.from("x"), { sandbox }),
    ).rejects.toMatchObject({ kind: "sandboxDenied" });
  });

  test("D5: info tells the environment's root as cwd and everything else of the machine itself", async () => {
    const { far, mapped } = openMapped();
    expect(await mapped.info()).toEqual({ ...(await far.info()), cwd: remote });
  });
});

function sleep(cwd: string): SpawnOptions {
  return {
    argv: ["sleep", "60"],
    cwd,
    env: exactEnvironment({}),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  };
}

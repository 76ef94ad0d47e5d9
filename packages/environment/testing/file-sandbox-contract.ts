import type { FileChangeOptions } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import {
  bytesOf,
  expectRefusal,
  type OpenFileSystem,
  openWorkbench,
  type Workbench,
} from "./file-system-subject.ts";

const readOnly: SandboxIntent = { mode: "read-only", networkAccess: false };

/** What the policy of a run allows to change, enforced by the side that changes; a side without it refuses every restricted call. */
export function describeFileSandbox(name: string, open: OpenFileSystem): void {
  describe(`sandboxed changes: ${name}`, () => {
    test("read-only refuses every change and leaves everything as it was", async () => {
      const bench = await openWorkbench(open);
      await bench.write("file", "old");
      for (const change of everyChange(bench, "file", { sandbox: readOnly }))
        await expectRefusal(change(), { kind: refusalOf(bench) });
      expect([await bench.names("."), await bench.read("file")]).toEqual([["file"], "old"]);
    });

    test("danger-full-access refuses nothing", async () => {
      const { fileSystem, at, read } = await openWorkbench(open);
      const sandbox: SandboxIntent = { mode: "danger-full-access" };
      await fileSystem.createDirectory(at(".git"), { sandbox });
      await fileSystem.writeFile(at(".git/config"), bytesOf("free"), { sandbox });
      expect(await read(".git/config")).toBe("free");
    });

    testRestricted("workspace-write changes inside its roots and nowhere else", async (bench) => {
      const options = { sandbox: writable(bench, ["work"]) };
      await bench.write("work/file", "old");
      await bench.write("workshop", "a sibling with the same beginning");
      for (const change of everyChange(bench, "work/file", options)) await change();
      for (const change of everyChange(bench, "workshop", options))
        await expectRefusal(change(), { kind: "sandboxDenied" });
      expect(await bench.names(".")).toEqual(["work", "workshop"]);
      expect(await bench.names("work")).toEqual(["file-directory"]);
    });

    testRestricted("no link and no `..` leads out of a root", async (bench) => {
      const { fileSystem, at } = bench;
      const options = { sandbox: writable(bench, ["work"]) };
      await bench.write("work/inside", "");
      await bench.write("outside/file", "old");
      await bench.makeSymlink("../outside", at("work/out"));
      await bench.makeSymlink("../outside/file", at("work/fileOut"));
      await bench.makeSymlink("../outside/new", at("work/newOut"));
      const denied = { kind: "sandboxDenied" } as const;
      const bytes = bytesOf("new");
      for (const atomic of [false, bench.offers.atomicWrite])
        for (const path of ["work/out/file", "work/fileOut", "work/newOut", "work/out/x"])
          await expectRefusal(
            fileSystem.writeFile(at(path), bytes, { ...options, atomic }),
            denied,
          );
      await expectRefusal(fileSystem.createDirectory(at("work/out/a/b"), options), denied);
      await expectRefusal(fileSystem.remove(at("work/out/file"), options), denied);
      await expectRefusal(fileSystem.copy(at("work/inside"), at("work/out/x"), options), denied);
      await bench.write("tree/out/x", "");
      const tree = { ...options, recursive: true };
      await expectRefusal(fileSystem.copy(at("tree"), at("work"), tree), denied);
      expect(await bench.names("outside")).toEqual(["file"]);
      expect(await bench.read("outside/file")).toBe("old");
    });

    testRestricted(
      "a link itself may be removed, and a root may be given by a link",
      async (bench) => {
        const { fileSystem, at } = bench;
        await bench.write("work/file", "");
        await bench.makeSymlink("..", at("work/up"));
        await bench.makeSymlink("work", at("byLink"));
        const options = { sandbox: writable(bench, ["byLink"]) };
        await fileSystem.remove(at("work/up"), options);
        await fileSystem.writeFile(at("work/file"), bytesOf("new"), options);
        await fileSystem.writeFile(at("byLink/other"), bytesOf("new"), options);
        expect(await bench.names("work")).toEqual(["file", "other"]);
      },
    );

    testRestricted(
      "`.git`, `.codex` and `.agents` directly under a root are protected, missing ones too",
      async (bench) => {
        const { fileSystem, at } = bench;
        const options = { sandbox: writable(bench, ["work"]) };
        const denied = { kind: "sandboxDenied" } as const;
        await bench.write("work/.git/config", "old");
        await bench.write("work/file", "");
        for (const name of [".git", ".codex", ".agents"]) {
          await expectRefusal(fileSystem.createDirectory(at(`work/${name}/x`), options), denied);
          await expectRefusal(
            fileSystem.copy(at("work/file"), at(`work/${name}`), options),
            denied,
          );
        }
        await expectRefusal(
          fileSystem.writeFile(at("work/.git/config"), bytesOf("x"), options),
          denied,
        );
        await expectRefusal(fileSystem.remove(at("work/.git"), options), denied);
        await expectRefusal(fileSystem.remove(at("work"), options), denied);
        await fileSystem.createDirectory(at("work/sub/.git"), options);
        expect(await bench.names("work")).toEqual([".git", "file", "sub"]);
        expect(await bench.read("work/.git/config")).toBe("old");
      },
    );

    testRestricted(
      "a protected path that is itself a root may be changed inside",
      async (bench) => {
        const options = { sandbox: writable(bench, ["work", "work/.git"]) };
        await bench.write("work/.git/config", "old");
        await bench.fileSystem.writeFile(bench.at("work/.git/config"), bytesOf("new"), options);
        expect(await bench.read("work/.git/config")).toBe("new");
      },
    );

    testRestricted(
      "what a `.git` link or a `.git` file leads to is protected as well",
      async (bench) => {
        const { fileSystem, at } = bench;
        const denied = { kind: "sandboxDenied" } as const;
        await bench.write("linked/real/config", "old");
        await bench.makeSymlink("real", at("linked/.git"));
        await bench.write("pointed/.git", "gitdir: data/tree\n");
        await bench.write("pointed/data/tree/HEAD", "old");
        const options = { sandbox: writable(bench, ["linked", "pointed"]) };
        for (const path of ["linked/real/config", "linked/.git/config", "pointed/data/tree/HEAD"])
          await expectRefusal(fileSystem.writeFile(at(path), bytesOf("new"), options), denied);
        await expectRefusal(fileSystem.remove(at("linked/.git"), options), denied);
        await expectRefusal(fileSystem.remove(at("pointed/data"), options), denied);
        await fileSystem.writeFile(at("pointed/data/other"), bytesOf("new"), options);
        expect(await bench.read("linked/real/config")).toBe("old");
      },
    );

    function testRestricted(title: string, body: (bench: Workbench) => Promise<void>): void {
      test(title, async () => {
        const bench = await openWorkbench(open);
        if (bench.offers.sandbox) return await body(bench);
        const sandbox = writable(bench, ["."]);
        const refused = bench.fileSystem.writeFile(bench.at("file"), bytesOf("x"), { sandbox });
        await expectRefusal(refused, { kind: "unsupported" });
      });
    }
  });
}

function writable({ at }: Workbench, roots: readonly string[]): SandboxIntent {
  return {
    mode: "workspace-write",
    writableRoots: roots.map(at),
    includeSlashTmp: false,
    includeTmpdir: false,
    networkAccess: false,
  };
}

function refusalOf({ offers }: Workbench): "sandboxDenied" | "unsupported" {
  return offers.sandbox ? "sandboxDenied" : "unsupported";
}

/** Every changing call once, around the file `relative`; run in order they all succeed where allowed and leave one directory. */
function everyChange(
  { fileSystem, at, offers }: Workbench,
  relative: string,
  options: FileChangeOptions,
): (() => Promise<void>)[] {
  const beside = (suffix: string) => at(`${relative}-${suffix}`);
  return [
    () => fileSystem.writeFile(at(relative), bytesOf("new"), options),
    ...(offers.atomicWrite
      ? [() => fileSystem.writeFile(at(relative), bytesOf("new"), { ...options, atomic: true })]
      : []),
    () => fileSystem.createDirectory(beside("directory"), options),
    () => fileSystem.copy(at(relative), beside("copy"), options),
    ...(offers.rename ? [() => fileSystem.rename(beside("copy"), at(relative), options)] : []),
    () => fileSystem.remove(beside("copy"), options),
    () => fileSystem.remove(at(relative), options),
  ];
}

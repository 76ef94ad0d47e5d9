import { createLocalEnvironment, createLocalFileSystem, type FileSystem } from "@codex/environment";
import { createMemoryFileSystem } from "@codex/environment/testing";
import { connectInProcess, createExecServerEnvironment } from "@codex/exec-server";
import { type AbsolutePath, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";

/** A side with an empty folder to patch in. */
export interface World extends AsyncDisposable {
  readonly fileSystem: FileSystem;
  readonly root: AbsolutePath;
}

export async function memoryWorld(): Promise<World> {
  const fileSystem = createMemoryFileSystem({ "/w/": "" });
  return { fileSystem, root: toAbsolutePath("/w"), [Symbol.asyncDispose]: async () => {} };
}

export async function diskWorld(): Promise<World> {
  const directory = await temporaryDirectory();
  return {
    fileSystem: createLocalFileSystem(),
    root: toAbsolutePath(directory.path),
    [Symbol.asyncDispose]: async () => directory[Symbol.asyncDispose](),
  };
}

/** The disk behind an exec-server, as a client sees it. */
export async function executorWorld(): Promise<World> {
  const directory = await temporaryDirectory();
  const root = toAbsolutePath(directory.path);
  const client = await connectInProcess(createLocalEnvironment({ cwd: root, variables: {} }));
  const environment = createExecServerEnvironment(client, { name: "executor", cwd: root });
  return {
    fileSystem: environment.fileSystem,
    root,
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

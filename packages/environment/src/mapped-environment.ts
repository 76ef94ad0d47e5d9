import { parseAbsolutePath } from "@codex/protocol";
import { type SpawnOptions } from "@codex/pty";
import type { Environment } from "./environment.ts";
import { createMappedFileSystem, mapSandboxIntent } from "./mapped-file-system.ts";
import { createWorkspacePathMapper, type WorkspaceRoots } from "./workspace-path-mapper.ts";

/**
 * The same environment with the workspace known under two names: the local root of `roots` leads to its environment
 * root, in file calls, in the working directory of processes and in the roots of a sandbox. `info().cwd` is the
 * environment root. A cwd that is not absolute is passed on, for the executor to refuse. Owns `environment`: disposing
 * disposes it.
 */
export function createMappedEnvironment(
  environment: Environment,
  roots: WorkspaceRoots,
): Environment {
  const mapper = createWorkspacePathMapper(roots);
  const mapOptions = (options: SpawnOptions): SpawnOptions => {
    const cwd = parseAbsolutePath(options.cwd);
    return {
      ...options,
      cwd: cwd === undefined ? options.cwd : mapper.toEnvironment(cwd),
      sandbox: mapSandboxIntent(options.sandbox, mapper),
    };
  };
  return {
    name: environment.name,
    fileSystem: createMappedFileSystem(environment.fileSystem, mapper),
    info: async (signal) => ({ ...(await environment.info(signal)), cwd: roots.environment[0] }),
    start: (options, signal) => environment.start(mapOptions(options), signal),
    ...(environment.onConnectionChange && {
      onConnectionChange: (listener) => environment.onConnectionChange?.(listener) ?? (() => {}),
    }),
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
}

import { parseAbsolutePath, type SandboxIntent } from "@codex/protocol";
import type { FileChangeOptions, FileSystem } from "./file-system.ts";
import type { WorkspacePathMapper } from "./workspace-path-mapper.ts";

/**
 * A file system that also understands this machine's spelling of workspace paths. Every path of every call is mapped on
 * its way out; what comes back (real paths, paths in errors) stays in the environment's own spelling.
 */
export function createMappedFileSystem(
  fileSystem: FileSystem,
  mapper: WorkspacePathMapper,
): FileSystem {
  const there: WorkspacePathMapper["toEnvironment"] = (path) => mapper.toEnvironment(path);
  const change = <T extends FileChangeOptions>(options: T | undefined): T | undefined =>
    options?.sandbox === undefined
      ? options
      : { ...options, sandbox: mapSandboxIntent(options.sandbox, mapper) };
  return {
    readFile: (path, options) => fileSystem.readFile(there(path), options),
    readRange: (path, range, options) => fileSystem.readRange(there(path), range, options),
    writeFile: (path, bytes, options) => fileSystem.writeFile(there(path), bytes, change(options)),
    createDirectory: (path, options) => fileSystem.createDirectory(there(path), change(options)),
    getMetadata: (path, options) => fileSystem.getMetadata(there(path), options),
    readDirectory: (path, options) => fileSystem.readDirectory(there(path), options),
    walk: (path, options) => fileSystem.walk(there(path), options),
    canonicalize: (path, options) => fileSystem.canonicalize(there(path), options),
    rename: (from, to, options) => fileSystem.rename(there(from), there(to), change(options)),
    remove: (path, options) => fileSystem.remove(there(path), change(options)),
    copy: (from, to, options) => fileSystem.copy(there(from), there(to), change(options)),
  };
}

/** The intent with its paths in the environment's spelling; one that is not absolute is left as it is, for the executor to refuse. */
export function mapSandboxIntent(
  intent: SandboxIntent,
  mapper: WorkspacePathMapper,
): SandboxIntent {
  if (intent.mode !== "workspace-write") return intent;
  const there = (text: string): string => {
    const path = parseAbsolutePath(text);
    return path === undefined ? text : mapper.toEnvironment(path);
  };
  const { readOnlyPaths } = intent;
  return {
    ...intent,
    writableRoots: intent.writableRoots.map(there),
    ...(readOnlyPaths && { readOnlyPaths: readOnlyPaths.map(there) }),
  };
}

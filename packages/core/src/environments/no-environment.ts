import {
  type Environment,
  type EnvironmentInfo,
  type FileSystem,
  FileSystemError,
  ProcessError,
} from "@codex/environment";
import { type AbsolutePath, toAbsolutePath } from "@codex/protocol";

/** For a run without commands and files: tells where the session began and refuses everything else as `unsupported`. */
export function createNoEnvironment(cwd: AbsolutePath): Environment {
  const info: EnvironmentInfo = {
    cwd,
    home: toAbsolutePath("/"),
    tempDirectory: toAbsolutePath("/tmp"),
    platform: "none",
    shell: { name: "sh", path: toAbsolutePath("/bin/sh") },
  };
  return {
    name,
    fileSystem: noFiles,
    async info(signal) {
      signal?.throwIfAborted();
      return info;
    },
    async start(_options, signal) {
      signal?.throwIfAborted();
      throw new ProcessError("unsupported", refusal, { environment: name });
    },
    async [Symbol.asyncDispose]() {},
  };
}

const name = "none";
const refusal = "environment `none` runs no commands and has no files";

async function refuse(path: AbsolutePath): Promise<never> {
  throw new FileSystemError("unsupported", path, refusal, { environment: name });
}

const noFiles: FileSystem = {
  readFile: refuse,
  readRange: refuse,
  writeFile: refuse,
  createDirectory: refuse,
  getMetadata: refuse,
  readDirectory: refuse,
  walk: refuse,
  canonicalize: refuse,
  rename: refuse,
  remove: refuse,
  copy: refuse,
};

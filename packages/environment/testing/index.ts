export {
  type CountingFileSystem,
  createCountingFileSystem,
  type FileCallCount,
} from "./counting-file-system.ts";
export {
  describeEnvironment,
  type EnvironmentSubject,
  type OpenEnvironment,
} from "./environment-contract.ts";
export { describeFileSystem } from "./file-system-contract.ts";
export {
  everyFileOffer,
  type FileSystemOffers,
  type FileSystemSubject,
  type OpenFileSystem,
} from "./file-system-subject.ts";
export { diskFixtures, openLocalSubject } from "./local-subject.ts";
export {
  createMemoryFileSystem,
  type MemoryFiles,
  type MemoryFileSystem,
  type MemoryFileSystemOptions,
} from "./memory-file-system.ts";
export {
  createMemoryEnvironment,
  type MemoryEnvironment,
  type MemoryEnvironmentOptions,
  type MemoryProgram,
} from "./memory-environment.ts";
export { memoryPrograms } from "./memory-programs.ts";
export { describeSandbox, type OpenSandboxed } from "./sandbox-contract.ts";
export { createScriptedProcess, type ScriptedProcess } from "./scripted-process.ts";

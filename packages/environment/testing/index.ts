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

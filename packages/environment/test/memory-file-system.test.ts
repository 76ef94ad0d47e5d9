import {
  createMemoryFileSystem,
  describeFileSystem,
  everyFileOffer,
} from "@codex/environment/testing";
import { joinPath, toAbsolutePath } from "@codex/protocol";

describeFileSystem("in memory", async () => {
  const fileSystem = createMemoryFileSystem({ "/work/": "" });
  return {
    fileSystem,
    root: toAbsolutePath("/work"),
    offers: everyFileOffer,
    async makeSymlink(target, path) {
      await fileSystem.createDirectory(joinPath(path, ".."));
      await fileSystem.makeSymlink(target, path);
    },
    async makeUnreadableDirectory(parent) {
      await fileSystem.createDirectory(joinPath(parent, "closed"));
      fileSystem.makeUnreadable(joinPath(parent, "closed"));
      return "closed";
    },
    async [Symbol.asyncDispose]() {},
  };
});

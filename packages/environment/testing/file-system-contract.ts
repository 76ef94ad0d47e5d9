import { describeFileChanges } from "./file-change-contract.ts";
import { describeFileReading } from "./file-read-contract.ts";
import { describeFileSandbox } from "./file-sandbox-contract.ts";
import type { OpenFileSystem } from "./file-system-subject.ts";
import { describeWalking } from "./file-walk-contract.ts";

/**
 * Everything a `FileSystem` promises, as tests. `open` is called once per test; the test closes what it gave. Fixtures
 * are made through the interface (and `makeSymlink`), so it runs over any connection.
 */
export function describeFileSystem(name: string, open: OpenFileSystem): void {
  describeFileReading(name, open);
  describeWalking(name, open);
  describeFileChanges(name, open);
  describeFileSandbox(name, open);
}

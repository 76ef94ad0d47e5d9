import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Removed when the test has finished. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "sandbox-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

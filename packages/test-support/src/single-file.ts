import { copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "./temporary-directory.ts";

/** The exec-server as one file, in this checkout; needs a build. */
export const singleFilePath: string = fileURLToPath(
  new URL("../../../apps/cli/dist/codex-exec-server.mjs", import.meta.url),
);

/** A copy in a folder of its own: no node_modules there or above. Disposing removes it. */
export interface LoneServer extends AsyncDisposable {
  readonly path: string;
}

/** With `terminals`, the native binary that terminals need lies beside it. */
export async function copySingleFile(options: {
  readonly terminals: boolean;
}): Promise<LoneServer> {
  const folder = await temporaryDirectory();
  const path = join(folder.path, "codex-exec-server.mjs");
  await copyFile(singleFilePath, path);
  if (options.terminals) await copyFile(terminalBinary(), join(folder.path, "pty.node"));
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

function terminalBinary(): string {
  const fromPty = createRequire(new URL("../../pty/package.json", import.meta.url));
  const fromNodePty = createRequire(fromPty.resolve("node-pty"));
  return fromNodePty.resolve(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`);
}

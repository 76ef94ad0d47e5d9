import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of its own; disposing removes it with everything in it. */
export interface TemporaryDirectory extends AsyncDisposable {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Writes a file below it, parents included; returns the file's absolute path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
}

/** `files` maps names below the folder to their content; a name that ends with `/` makes an empty folder. */
export async function temporaryDirectory(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TemporaryDirectory> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "codex-test-")));
  const directory: TemporaryDirectory = {
    path,
    async write(name, content) {
      const file = join(path, name);
      await mkdir(name.endsWith("/") ? file : dirname(file), { recursive: true });
      if (!name.endsWith("/")) await writeFile(file, content);
      return file;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
  for (const [name, content] of Object.entries(files)) await directory.write(name, content);
  return directory;
}

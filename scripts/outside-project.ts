import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export const packageNames = [
  "protocol",
  "sandbox",
  "pty",
  "environment",
  "jsonrpc",
  "exec-server",
  "core",
] as const;

export interface FinishedProgram {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A builder's project: a folder outside the workspace whose `node_modules` leads to the built packages. */
export interface OutsideProject extends AsyncDisposable {
  readonly path: string;
  /** Compiles TypeScript files, by name and content, strictly; rejects with what the compiler says. */
  compile(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a compiled file. Never rejects for a code; ends the program after `timeoutMs` (default 15 s). */
  run(name: string, args?: readonly string[], timeoutMs?: number): Promise<FinishedProgram>;
}

export async function createOutsideProject(): Promise<OutsideProject> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "codex-outside-")));
  const home = join(path, "home");
  await mkdir(home);
  await linkPackages(path);
  await writeFile(join(path, "package.json"), JSON.stringify({ type: "module", private: true }));
  return {
    path,
    async compile(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(path, "src", name)), { recursive: true });
        await writeFile(join(path, "src", name), text);
      }
      await writeFile(
        join(path, "tsconfig.json"),
        JSON.stringify({ compilerOptions, include: ["src"] }),
      );
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { code, stdout, stderr } = await runNode([tsc, "-p", path], { cwd: path, home });
      if (code !== 0) throw new Error(`tsc ended with ${code}\n${stdout}${stderr}`);
    },
    run: (name, args = [], timeoutMs = 15_000) =>
      runNode([join(path, "dist", name.replace(/\.ts$/, ".js")), ...args], {
        cwd: path,
        home,
        timeoutMs,
      }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  // The packages' own declarations are checked by pack-and-consume.mjs.
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  types: ["node"],
  rootDir: "src",
  outDir: "dist",
};

async function linkPackages(path: string): Promise<void> {
  const modules = join(path, "node_modules");
  for (const scope of ["@codex", "@types"]) await mkdir(join(modules, scope), { recursive: true });
  const link = async (name: string, target: string) =>
    symlink(await realpath(join(root, target)), join(modules, name));
  for (const name of packageNames) await link(`@codex/${name}`, `packages/${name}`);
  await mkdir(join(modules, ".bin"));
  await link(".bin/codex-exec-server", "packages/exec-server/bin/codex-exec-server.js");
  await link("zod", "packages/core/node_modules/zod");
  await link("@types/node", "node_modules/@types/node");
}

interface RunNodeOptions {
  readonly cwd: string;
  readonly home: string;
  readonly timeoutMs?: number;
}

function runNode(
  args: readonly string[],
  { cwd, home, timeoutMs = 60_000 }: RunNodeOptions,
): Promise<FinishedProgram> {
  const PATH = `${join(cwd, "node_modules/.bin")}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH, HOME: home, CODEX_HOME: home };
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  child.stdin.end();
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const text = { value: "" };
    stream.setEncoding("utf8").on("data", (part: string) => (text.value += part));
    return text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: stdout?.value ?? "", stderr: stderr?.value ?? "" }),
    );
  });
}

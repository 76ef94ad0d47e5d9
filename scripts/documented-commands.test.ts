import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ModelServer,
  startModelServer,
  temporaryDirectory,
} from "../packages/test-support/src/index.ts";
import { fencedBlocks } from "./markdown.ts";

// Every `codex` command line of the documents is run as a person would type it, in a project of its own. The model is
// scripted; ssh, docker and kubectl are stand-ins that do on this machine what they would do on another.

const container = `if [ "$1" = cp ]; then exec cp "$2" "$FAR/\${3#*:}"; fi
shift 3
if [ "$1" = -- ]; then shift; fi
export PATH=$FAR/usr/local/bin:$PATH
exec "\${@/#\\/usr/$FAR/usr}"`;

const root = fileURLToPath(new URL("..", import.meta.url));
const documents = [
  "README.md",
  "docs/config.md",
  "docs/environments.md",
  "docs/library.md",
  "apps/cli/README.md",
];
const texts = await Promise.all(documents.map((name) => readFile(join(root, name), "utf8")));
const helped = ["", "exec", "exec resume", "sessions", "config", "doctor", "debug prompt"];
const helps = await Promise.all(helped.map(examplesOf));
const scripts = [
  ...documents.flatMap((name, index) =>
    scriptsOf(texts[index] ?? "").map((script) => [name, script] as const),
  ),
  ...helped.flatMap((name, index) =>
    (helps[index] ?? []).map((script) => [`codex ${name} --help`, script] as const),
  ),
];

/** Programs of a person's machine. `$FAR` is the root of the other one, and its home. */
const programs: Readonly<Record<string, string>> = {
  codex: `exec node ${join(root, "apps/cli/bin/codex.js")} "$@"`,
  "codex-exec-server": `exec node ${join(root, "apps/cli/bin/codex-exec-server.js")} "$@"`,
  pnpm: 'shift; exec codex "$@"',
  curl: `exec node -e 'fetch(process.argv[1]).then(({ ok }) => process.exit(ok ? 0 : 1))' "\${@: -1}"`,
  jq: `exec node ${join(root, "scripts/stand-in-jq.mjs")} "$@"`,
  ssh: 'shift; cd "$FAR" && exec sh -c "$*"',
  scp: 'cp "$1" "$FAR/${2#*:}"',
  docker: container,
  kubectl: container,
};

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let model: ModelServer;

beforeAll(async () => {
  folder = await temporaryDirectory({ "project/task.md": "Say hello.\n" });
  model = await startModelServer([[{ message: "Done." }]]);
  for (const [name, script] of Object.entries(programs)) {
    await folder.write(`bin/${name}`, `#!/bin/bash\n${script}\n`);
    await chmod(join(folder.path, "bin", name), 0o755);
  }
  await folder.write("home/.codex/config.toml", configuration());
  const file = "apps/cli/dist/codex-exec-server.mjs";
  await folder.write(`project/${file}`, await readFile(join(root, file), "utf8"));
  await bash(
    "git init -q . && mkdir -p $FAR/usr/local/bin $FAR/project && git init -q $FAR/project",
  );
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("the documents have commands", () => {
  for (const name of documents.filter((name) => name !== "docs/library.md")) {
    expect(
      scripts.filter(([document]) => document === name),
      name,
    ).not.toEqual([]);
  }
});

const missing = hasBubblewrap() ? undefined : "bubblewrap is not installed";
if (missing !== undefined) console.log(`skipped: documented commands: ${missing}`);

test.skipIf(missing !== undefined).each(scripts)("%s: %s", async (_document, script) => {
  await bash(script.replaceAll("4777", String(await freePort())));
});

async function bash(script: string): Promise<void> {
  const { path } = folder;
  await promisify(execFile)("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: join(path, "project"),
    env: {
      PATH: [join(path, "bin"), process.env["PATH"]].join(delimiter),
      HOME: join(path, "home"),
      FAR: join(path, "far"),
      SCRIPTED_KEY: "key",
    },
    timeout: 20_000,
  });
}

/** A block marked `sh` is one script; of any other, each line that starts with a `codex` command or ends in one. */
function scriptsOf(markdown: string): string[] {
  return fencedBlocks(markdown).flatMap(({ info, text: block }) => {
    if (info === "sh") return [block.trim()];
    if (info !== "") return [];
    return block
      .split("\n")
      .filter((line) => /^(git diff \| )?(pnpm )?codex (exec|config)/.test(line));
  });
}

/** The lines under `Examples:`, without what is said about them. */
async function examplesOf(command: string): Promise<string[]> {
  const args = [join(root, "apps/cli/bin/codex.js"), ...command.split(" "), "--help"];
  const { stdout } = await promisify(execFile)(process.execPath, args.filter(Boolean));
  const [, examples = ""] = /^Examples:\n((?: .*\n?)+)/m.exec(stdout) ?? [];
  return examples
    .trim()
    .split("\n")
    .map((line) => line.trim().replace(/ {3,}.*/, ""));
}

/** A scripted model, and the environments of the document, their folders replaced by the project's. */
function configuration(): string {
  const blocks = fencedBlocks(texts[documents.indexOf("docs/environments.md")] ?? "");
  const environments = blocks.filter(({ info }) => info === "toml").map((block) => block.text);
  return [
    'model_provider = "scripted"',
    `[model_providers.scripted]\nname = "s"\nbase_url = "${model.baseUrl}"\nenv_key = "SCRIPTED_KEY"`,
    ...environments,
    "[profiles.work]",
  ]
    .join("\n")
    .replaceAll(
      /^workspace_root = .*$/gm,
      `workspace_root = "${join(folder.path, "far/project")}"`,
    );
}

function hasBubblewrap(): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((path) => existsSync(join(path, "bwrap")));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

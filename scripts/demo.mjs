// `pnpm demo`: builds quietly, then runs the main job on this repository. A conversation file plays the model, so no
// key and no network are needed; every tool call in it is carried out for real.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const task = "Have a look at this project and tell me what it is.";

build();
console.error(`The demo runs:
  codex exec --replay examples/demo.replay.jsonl -s danger-full-access "${task}"

The model is replayed from that file. The tools are real: they list, read and run in ${root}.
`);
process.exitCode = run();

function build() {
  const turbo = join(root, "node_modules/.bin/turbo");
  const { status, stdout, stderr } = spawnSync(
    turbo,
    ["run", "build", "--output-logs=errors-only"],
    {
      cwd: root,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
      encoding: "utf8",
    },
  );
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(status ?? 1);
}

function run() {
  // A home of its own: nobody's configuration changes what the demo shows.
  const home = mkdtempSync(join(tmpdir(), "codex-demo-"));
  try {
    const options = "--replay examples/demo.replay.jsonl -s danger-full-access --ephemeral".split(
      " ",
    );
    const tools = 'experimental_supported_tools=["list_dir", "read_file"]';
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, "apps/cli/bin/codex.js"),
        "exec",
        ...options,
        "--skip-git-repo-check",
        "-c",
        tools,
        task,
      ],
      {
        cwd: root,
        env: { ...process.env, CODEX_HOME: home },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    return status ?? 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

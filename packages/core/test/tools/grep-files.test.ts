import { exactEnvironment, ProcessError } from "@codex/environment";
import { createMemoryEnvironment, type MemoryProgram } from "@codex/environment/testing";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { createGrepFilesTool } from "../../src/tools/grep-files.ts";
import { runTool } from "./run-tool.ts";

async function grep(
  programs: Readonly<Record<string, MemoryProgram>>,
  args: Record<string, unknown>,
  { timeoutMs = 30_000 } = {},
) {
  await using environment = createMemoryEnvironment({
    files: { "/work/src/": "" },
    programs,
  });
  const tool = createGrepFilesTool({
    environment,
    cwd: toAbsolutePath("/work"),
    env: exactEnvironment({ PATH: "/bin" }),
    sandbox: fullAccess,
    timeoutMs,
  });
  const { output } = await runTool(tool, { pattern: "x", ...args });
  return { output, argv: environment.starts[0]?.options.argv };
}

function printing(text: string, code = 0, stream: "stdout" | "stderr" = "stdout") {
  const rg: MemoryProgram = ({ process }) => {
    process.print(text, stream);
    process.finish({ code });
  };
  return { rg };
}

describe("tools.md 11: grep_files", () => {
  test("what ripgrep is asked, and paths as it printed them", async () => {
    const args = { pattern: "  -x|y ", include: " *.ts ", path: "src" };
    expect(await grep(printing("src/b.ts\n\nsrc/a.ts\n"), args)).toEqual({
      output: "src/b.ts\nsrc/a.ts",
      argv: [
        "rg",
        "--files-with-matches",
        "--sortr=modified",
        "--no-messages",
        "--regexp=-x|y",
        "--glob=*.ts",
        "--",
        "/work/src",
      ],
    });
  });

  test("a blank include is none, the working directory is the default", async () => {
    const { argv } = await grep(printing("a\n"), { include: " " });
    expect(argv?.slice(-3)).toEqual(["--regexp=x", "--", "/work"]);
  });

  test("no more than the limit, and never more than 2,000", async () => {
    const many = Array.from({ length: 2100 }, (_, index) => `f${index}\n`).join("");
    const count = async (limit?: number) =>
      String((await grep(printing(many), { limit })).output as string).split("\n").length;
    expect([await count(), await count(3), await count(5000)]).toEqual([100, 3, 2000]);
  });

  test.each([
    ["exit 1", printing("", 1), {}, "No matches found."],
    ["no line", printing("\n"), {}, "No matches found."],
    ["exit 2", printing("regex parse error\n", 2, "stderr"), {}, "rg failed: regex parse error"],
    ["a blank pattern", printing(""), { pattern: " " }, "pattern must not be empty"],
    ["limit 0", printing(""), { limit: 0 }, "limit must be greater than zero"],
    [
      "a missing path",
      printing(""),
      { path: "none" },
      "unable to access `/work/none`: No such file or directory (os error 2)",
    ],
    [
      "no ripgrep there",
      {},
      {},
      "failed to launch rg: No such file or directory (os error 2). Ensure ripgrep is installed and on PATH.",
    ],
  ])("%s", async (_, programs, args, expected) => {
    expect((await grep(programs, args)).output).toBe(expected);
  });

  test("a search that does not end is ended", async () => {
    const { output } = await grep({ rg: () => {} }, {}, { timeoutMs: 20 });
    expect(output).toBe("rg timed out after 0.02 seconds");
  });

  test("a lost executor ends the turn", async () => {
    const run = grep({ rg: ({ process }) => process.lose("gone") }, {});
    await expect(run).rejects.toThrow(ProcessError);
  });
});

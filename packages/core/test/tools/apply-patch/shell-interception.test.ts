import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { interceptApplyPatch } from "../../../src/tools/apply-patch/shell-interception.ts";
import { createPatchIntercept } from "../../../src/tools/apply-patch/tool.ts";
import { recordItems, type SeenItem } from "../run-tool.ts";
import { patchOf, patchWorld } from "./patch-world.ts";

const patch = patchOf("*** Add File: a", "+x $HOME `id`");
const heredoc = (head: string, end = "EOF") => `${head}\n${patch}\n${end}`;
const workdir = toAbsolutePath("/w/sub");

describe("tools.md 8.5: intercepted", () => {
  test.each([
    [heredoc("apply_patch <<'EOF'"), "/w/sub"],
    [`\n  ${heredoc("apply_patch <<'EOF'")}\n\n`, "/w/sub"],
    [heredoc("applypatch <<'EOF'"), "/w/sub"],
    [heredoc('apply_patch << "EOF"'), "/w/sub"],
    [heredoc("apply_patch <<EOF"), "/w/sub"],
    [heredoc("apply_patch <<'PATCH'", "PATCH"), "/w/sub"],
    [heredoc("cd deep && apply_patch <<'EOF'"), "/w/sub/deep"],
    [heredoc("cd 'my dir' && apply_patch <<'EOF'"), "/w/sub/my dir"],
    [heredoc("cd \"my dir\" && apply_patch <<'EOF'"), "/w/sub/my dir"],
    [heredoc("cd /else/../where && apply_patch <<'EOF'"), "/where"],
  ])("%j", (cmd, base) => {
    expect(interceptApplyPatch(cmd, workdir)).toEqual({ patch, base });
  });
});

describe("tools.md 8.5: run as any command", () => {
  test.each([
    "ls",
    `apply_patch '${patch}'`,
    heredoc("echo pre; apply_patch <<'EOF'"),
    heredoc("echo pre && apply_patch <<'EOF'"),
    heredoc("cd a && cd b && apply_patch <<'EOF'"),
    heredoc("cd a b && apply_patch <<'EOF'"),
    heredoc("cd a; apply_patch <<'EOF'"),
    heredoc("cd a || apply_patch <<'EOF'"),
    heredoc("cd $DIR && apply_patch <<'EOF'"),
    heredoc("cd ~ && apply_patch <<'EOF'"),
    heredoc("apply_patch -v <<'EOF'"),
    heredoc("apply_patch <<'EOF' && ls"),
    heredoc("apply_patch <<'EOF' | cat"),
    `${heredoc("apply_patch <<'EOF'")}\nls`,
    heredoc("apply_patch <<'EOF'", "END"),
    heredoc("apply_patch <<'EOF'", "EOF && ls"),
    heredoc("not_apply_patch <<'EOF'"),
    "*** no patch at all",
  ])("%j", (cmd) => {
    expect(interceptApplyPatch(cmd, workdir)).toBeUndefined();
  });
});

describe("tools.md 8.5: answers", () => {
  async function intercept(cmd: string) {
    const world = patchWorld({ "sub/f": "a\n" });
    const items: SeenItem[] = [];
    const { signal } = new AbortController();
    const context = { callId: "c", turnId: "t", signal, items: recordItems(items) };
    const answer = createPatchIntercept(world.settings)(cmd, toAbsolutePath("/w"), context);
    return {
      text: await answer.catch((error: unknown) => error),
      items,
      files: await world.files(),
    };
  }

  test("a patch in a folder is done as by the tool itself", async () => {
    const update = patchOf("*** Update File: f", "-a", "+b");
    expect(await intercept(`cd sub && apply_patch <<'EOF'\n${update}\nEOF\n`)).toMatchObject({
      text: "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM f\n",
      items: [
        ["started", {}],
        ["completed", {}],
      ],
      files: { "sub/f": "b\n" },
    });
  });

  test("any other command is not touched", async () => {
    expect((await intercept("ls")).text).toBeUndefined();
  });

  test("a bare patch, and a patch that does not fit, are the model's mistakes", async () => {
    expect((await intercept(patch)).text).toMatchObject({
      name: "RespondToModelError",
      message:
        'apply_patch verification failed: patch detected without explicit call to apply_patch. Rerun as ["apply_patch", "<patch>"]',
    });
    const absent = patchOf("*** Update File: sub/f", "-none");
    expect((await intercept(`apply_patch <<'EOF'\n${absent}\nEOF`)).text).toMatchObject({
      name: "RespondToModelError",
      message: "apply_patch verification failed: Failed to find expected lines in /w/sub/f:\nnone",
    });
  });
});

import { checkWritable } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";

const path = toAbsolutePath;

describe("checkWritable", () => {
  const rules = {
    writableRoots: [path("/w"), path("/tmp"), path("/w/.git/hooks")],
    protectedPaths: [path("/w/.git"), path("/w/.codex"), path("/tmp/.git")],
  };

  test.each([
    ["/w", undefined, "protected"],
    ["/w/file", undefined, undefined],
    ["/w/deep/.git/file", undefined, undefined],
    ["/w/.gitignore", undefined, undefined],
    ["/w/.git", "protected", "protected"],
    ["/w/.git/config", "protected", "protected"],
    ["/w/.codex/new/file", "protected", "protected"],
    ["/w/.git/hooks", undefined, "protected"],
    ["/w/.git/hooks/pre-commit", undefined, undefined],
    ["/tmp/x", undefined, undefined],
    ["/tmp/.git/x", "protected", "protected"],
    ["/wx", "outside", "outside"],
    ["/", "outside", "outside"],
    ["/etc/passwd", "outside", "outside"],
  ] as const)("%s: filling it is %s, removing it is %s", (text, content, entry) => {
    const asked = path(text);
    expect([checkWritable(asked, "content", rules), checkWritable(asked, "entry", rules)]).toEqual([
      content,
      entry,
    ]);
  });
});

import { findLoginShell } from "@codex/environment";
import { describe, expect, test } from "vitest";

describe("findLoginShell", () => {
  test.each<[string, string | undefined, string | undefined, string[], string]>([
    ["the user's own", "/usr/bin/zsh", "/bin", ["/usr/bin/zsh", "/bin/bash"], "zsh /usr/bin/zsh"],
    ["one that is gone", "/usr/bin/zsh", "/bin", ["/bin/bash"], "bash /bin/bash"],
    ["one of another kind", "/usr/bin/fish", "/bin", ["/usr/bin/fish", "/bin/zsh"], "zsh /bin/zsh"],
    [
      "/usr/sbin/nologin",
      "/usr/sbin/nologin",
      undefined,
      ["/usr/sbin/nologin", "/bin/sh"],
      "sh /bin/sh",
    ],
    [
      "no account",
      undefined,
      "/nix/bin:/bin",
      ["/nix/bin/bash", "/bin/bash"],
      "bash /nix/bin/bash",
    ],
    ["an empty PATH", undefined, "", ["/usr/local/bin/bash"], "bash /usr/local/bin/bash"],
    ["relative places on the PATH", undefined, ".:bin", ["./bash", "/bin/sh"], "sh /bin/sh"],
    ["nothing at all", undefined, undefined, [], "sh /bin/sh"],
  ])("%s", (_, userShell, path, programs, expected) => {
    const found = findLoginShell({
      userShell,
      path,
      isProgram: (asked) => programs.includes(asked),
    });
    expect(`${found.name} ${found.path}`).toBe(expected);
  });
});

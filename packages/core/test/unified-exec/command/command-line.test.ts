import { execFileSync } from "node:child_process";
import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, it } from "vitest";
import {
  commandLine,
  displayCommand,
  quoteWord,
  shellCandidates,
} from "../../../src/unified-exec/command/command-line.ts";
import { ScriptedEnvironment } from "../scripted-environment.ts";

const bash = { name: "bash", path: toAbsolutePath("/bin/bash") };
const zsh = { name: "zsh", path: toAbsolutePath("/opt/zsh/bin/zsh") };
const fish = { name: "fish", path: toAbsolutePath("/usr/bin/fish") };
const signal = new AbortController().signal;

describe("unified-exec.md 9: the shell", () => {
  it.each([
    ["the user's own", bash, [], undefined, true, ["/bin/bash", "-lc", "echo hi"]],
    ["no login when told so", bash, [], undefined, false, ["/bin/bash", "-c", "echo hi"]],
    [
      "bash for a user with another shell",
      fish,
      ["/usr/bin/bash"],
      undefined,
      true,
      ["/usr/bin/bash", "-lc", "echo hi"],
    ],
    ["sh when there is no bash", fish, [], undefined, true, ["/bin/sh", "-lc", "echo hi"]],
    [
      "the named one, where the user has it",
      zsh,
      [],
      "zsh",
      true,
      ["/opt/zsh/bin/zsh", "-lc", "echo hi"],
    ],
    [
      "the named one, where it is",
      bash,
      ["/usr/bin/zsh"],
      "zsh",
      false,
      ["/usr/bin/zsh", "-c", "echo hi"],
    ],
    [
      "a path that is there",
      bash,
      ["/opt/bash"],
      "/opt/bash",
      true,
      ["/opt/bash", "-lc", "echo hi"],
    ],
    [
      "the user's for a path that is not there",
      bash,
      ["/bin/bash"],
      "/opt/bash",
      true,
      ["/bin/bash", "-lc", "echo hi"],
    ],
    ["sh for a shell that is nowhere", bash, [], "zsh", true, ["/bin/sh", "-lc", "echo hi"]],
    [
      "sh for an unknown name, not the path given",
      bash,
      ["/opt/nu"],
      "/opt/nu",
      true,
      ["/bin/sh", "-lc", "echo hi"],
    ],
  ] as const)("is %s", async (_, shell, files, requested, login, expected) => {
    const environment = new ScriptedEnvironment({ shell, files });
    const request = { cmd: "echo hi", shell: requested, login };
    expect(await commandLine(request, environment, signal)).toEqual(expected);
  });

  it("asks nothing about the user's own shell", () => {
    expect(shellCandidates(undefined, bash)).toEqual(["/bin/bash"]);
    expect(shellCandidates("bash", bash)).toEqual(["/bin/bash"]);
  });
});

const words = [
  ["ls", "ls"],
  ["", "''"],
  ["a-b_c.d/e:f@g+h]1", "a-b_c.d/e:f@g+h]1"],
  ["echo hi", "'echo hi'"],
  ["echo $HOME && ls *", "'echo $HOME && ls *'"],
  ["echo 'x'", `"echo 'x'"`],
  ["printf 'hello\\n'", `"printf 'hello\\\\n'"`],
  [`say "it's"`, `"say \\"it's\\""`],
  ["a\\b", `"a\\\\b"`],
  ["é", "'é'"],
  ["echo '$x'", `"echo '"'$x'"'"`],
  ["!!", "'!!'"],
  ["^a^b", "'^a''^b'"],
  ["two\nlines", "'two\nlines'"],
] as const;

describe("exec-cli.md 3: the command as people read it", () => {
  it.each(words)("%j is %s", (word, expected) => {
    expect(quoteWord(word)).toBe(expected);
  });

  it("is the words of argv", () => {
    expect(displayCommand(["/bin/bash", "-lc", "echo hi"])).toBe("/bin/bash -lc 'echo hi'");
  });

  it("is read back by a shell as the same words", () => {
    const hard = words.map(([word]) => word);
    const script = `printf '%s\\0' ${displayCommand(hard)}`;
    expect(execFileSync("/bin/bash", ["-c", script]).toString().split("\0").slice(0, -1)).toEqual(
      hard,
    );
  });
});

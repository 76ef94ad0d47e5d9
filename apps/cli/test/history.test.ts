import { describe, expect, test } from "vitest";
import { execWith } from "./exec-with.ts";
import { hereAndThere } from "./here-and-there.ts";

describe.each(hereAndThere())("%s", (_place, at) => {
  test("a shortened output is cut between characters in every later request and event", async () => {
    const cmd = `printf '😀é€%.0s' {1..400}; printf '\\360\\237'`;
    const calls = Array.from({ length: 9 }, (_, max_output_tokens) => ({
      function_call: { name: "exec_command", arguments: { cmd, max_output_tokens } },
    }));
    const { code, requests, stdout } = await execWith({
      ...at(),
      scenario: [calls, [{ message: "Done." }]],
      args: ["--json", "go"],
    });
    expect(code).toBe(0);
    const input = requests[1]?.body?.["input"] as { readonly output?: string }[] | undefined;
    const texts = (input ?? []).flatMap(({ output }) => output ?? []);
    expect(texts).toHaveLength(9);
    for (const text of texts) {
      expect(text).toMatch(/tokens truncated/);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
    expect(stdout).not.toMatch(/\\ud[89a-f]/i);
  });
});

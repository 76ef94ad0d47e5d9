import { expect, test } from "vitest";
import { execWith } from "./exec-with.ts";

interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** What differs from run to run: the ids. */
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(ids, "ID")) as unknown;

test("codex debug prompt prints the first request of a run, byte for byte but for the ids, and sends nothing", async () => {
  const files = { "AGENTS.md": "Be kind.\n" };
  const args = ["-m", "gpt-5.5", "-c", 'experimental_supported_tools=["list_dir"]', "Say hello"];
  await execWith({ files, args }, async ({ again, requests }) => {
    const { code, stdout, stderr } = await again(["debug", "prompt", ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(requests).toHaveLength(1);
    const [sent] = requests;
    const shown = JSON.parse(stdout) as ShownRequest;
    expect(withoutIds(shown.body)).toEqual(withoutIds(sent?.body));
    expect(Object.keys(shown.body)).toEqual(Object.keys(sent?.body ?? {}));
    expect(withoutIds({ ...sent?.headers, ...shown.headers })).toEqual(
      withoutIds({ ...sent?.headers, authorization: "(hidden)" }),
    );
    expect(shown).toMatchObject({ method: "POST", url: expect.stringMatching(/\/v1\/responses$/) });
  });
});

test("codex debug prompt needs no key, keeps no session, and says what codex exec would refuse", async () => {
  await execWith({ env: { SCRIPTED_KEY: "" }, args: ["--version"] }, async ({ again }) => {
    const { code, stdout } = await again(["debug", "prompt", "hi"]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as ShownRequest).headers).not.toHaveProperty("authorization");
    expect(await again(["sessions", "list"])).toMatchObject({ stdout: "", code: 0 });
    expect(await again(["debug", "prompt", "-c", "sandbox_mode=9", "hi"])).toMatchObject({
      code: 2,
    });
  });
});

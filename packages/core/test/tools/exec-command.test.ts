import { describe, expect, it } from "vitest";
import { ScriptedEnvironment } from "../unified-exec/scripted-environment.ts";
import { scripted, ScriptedThread } from "../unified-exec/scripted-thread.ts";

const environment = new ScriptedEnvironment();

/** What the model is offered, without the words. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(
    ([, each]) => typeof each !== "string" || each.length < 40,
  );
  return Object.fromEntries(
    entries.filter(([key]) => key !== "description").map(([key, each]) => [key, shapeOf(each)]),
  );
}

const text = { type: "string" };
const number = { type: "number" };
const flag = { type: "boolean" };
const execProperties = {
  cmd: text,
  justification: text,
  login: flag,
  max_output_tokens: number,
  prefix_rule: { type: "array", items: text },
  sandbox_permissions: { type: "string", enum: ["use_default", "require_escalated"] },
  shell: text,
  tty: flag,
  workdir: text,
  yield_time_ms: number,
};

describe("the definitions", () => {
  it("tools.md 6: are exec_command, parallel, and write_stdin, not parallel, in the captured form", () => {
    const { tools } = new ScriptedThread({ environment });
    expect(tools.map(({ isParallel }) => isParallel)).toEqual([true, false]);
    expect(tools.map(({ definition }) => shapeOf(definition))).toEqual([
      {
        type: "function",
        name: "exec_command",
        strict: false,
        parameters: {
          type: "object",
          properties: execProperties,
          required: ["cmd"],
          additionalProperties: false,
        },
      },
      {
        type: "function",
        name: "write_stdin",
        strict: false,
        parameters: {
          type: "object",
          properties: {
            chars: text,
            max_output_tokens: number,
            session_id: number,
            yield_time_ms: number,
          },
          required: ["session_id"],
          additionalProperties: false,
        },
      },
    ]);
  });

  it("describe every tool and every parameter", () => {
    for (const { definition } of new ScriptedThread({ environment }).tools) {
      const { description, parameters } = definition as unknown as {
        description: string;
        parameters: { properties: Record<string, { description?: string }> };
      };
      const words = Object.values(parameters.properties).map((each) => each.description ?? "");
      for (const each of [description, ...words]) expect(each.length).toBeGreaterThan(20);
    }
  });

  it("tools.md 6: leave `login` out where login shells are not allowed", () => {
    const { tools } = new ScriptedThread({ environment, allowLoginShell: false });
    const { login: _, ...properties } = execProperties;
    expect(shapeOf(tools[0]?.definition)).toMatchObject({
      parameters: { additionalProperties: false },
    });
    expect((shapeOf(tools[0]?.definition) as { parameters: object }).parameters).toMatchObject({
      properties,
      required: ["cmd"],
    });
    expect(JSON.stringify(tools[0]?.definition)).not.toContain('"login"');
  });
});

describe("login", () => {
  it.each([
    [true, {}, "-lc"],
    [true, { login: true }, "-lc"],
    [true, { login: false }, "-c"],
    [false, {}, "-c"],
    [false, { login: false }, "-c"],
  ])(
    "unified-exec.md 9: allowed %s, asked %o: the shell gets %s",
    async (allowLoginShell, args, option) => {
      const { thread, environment } = scripted({ allowLoginShell });
      const answer = thread.exec({ cmd: "ls", ...args });
      const process = await environment.process();
      process.finish(0);
      await answer;
      expect(process.options.argv).toEqual(["/bin/bash", option, "ls"]);
    },
  );

  it("unified-exec.md 9: is refused when asked for and not allowed; no id is used up", async () => {
    const { thread, environment, items } = scripted({ allowLoginShell: false });
    await expect(thread.exec({ cmd: "ls", login: true })).rejects.toThrow(
      "login shell is disabled by config; omit `login` or set it to false.",
    );
    expect([environment.processes, items.events]).toEqual([[], []]);
  });
});

describe("a call that cannot be done", () => {
  it("exec-cli.md 4: is told that nobody can grant an escalation", async () => {
    const { thread, items } = scripted();
    await expect(
      thread.exec({ cmd: "ls", sandbox_permissions: "require_escalated", justification: "may I?" }),
    ).rejects.toMatchObject({
      name: "RespondToModelError",
      message:
        "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
    });
    expect(items.events).toEqual([]);
  });

  it.each([
    [{ command: "ls" }, /^failed to parse function arguments: field `cmd`/],
    [{ cmd: ["ls"] }, /^failed to parse function arguments: field `cmd`/],
    [
      { cmd: "ls", yield_time_ms: -1 },
      /^failed to parse function arguments: field `yield_time_ms`/,
    ],
    [
      { cmd: "ls", max_output_tokens: 1.5 },
      /^failed to parse function arguments: field `max_output_tokens`/,
    ],
    [
      { cmd: "ls", sandbox_permissions: "all" },
      /^failed to parse function arguments: field `sandbox_permissions`/,
    ],
  ])("exec-cli.md 4: %o names the field", async (args, message) => {
    await expect(scripted().thread.exec(args)).rejects.toThrow(message);
  });

  it("exec-cli.md 4: ignores a field it does not know", async () => {
    const { thread, environment } = scripted();
    const answer = thread.exec({ cmd: "true", bogus: 1 });
    (await environment.process()).finish(0);
    expect((await answer).isSuccess).toBe(true);
  });

  it("exec-cli.md 4: does not know a session that never was", async () => {
    await expect(scripted().thread.write({ session_id: 999_999 })).rejects.toMatchObject({
      name: "RespondToModelError",
      message: "write_stdin failed: Unknown process id 999999",
    });
  });
});

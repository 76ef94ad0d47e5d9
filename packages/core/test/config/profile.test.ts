import { expect, test } from "vitest";
import { configFixture } from "./config-fixture.ts";

test("config.md 7: --profile beats the key `profile`", async () => {
  await using fixture = await configFixture({
    "home/config.toml": 'profile = "a"\n[profiles.a]\nmodel = "a"\n[profiles.b]\nmodel = "b"',
  });
  expect((await fixture.load()).config.model).toBe("a");
  expect((await fixture.load({ flags: { overrides: ["profile=b"] } })).config.model).toBe("b");
  const flags = { profile: "a", overrides: ["profile=b"] };
  expect((await fixture.load({ flags })).config.model).toBe("a");
});

test("a profile can be a whole file beside config.toml, and paths in it start there", async () => {
  await using fixture = await configFixture({
    "home/config.toml": 'model = "everyday"\ndeveloper_instructions = "top"',
    "home/slow.config.toml": `
      model = "slow"
      project_doc_max_bytes = 7
      model_instructions_file = "slow.md"
    `,
    "home/slow.md": "Slowly.",
  });
  const { config, origins } = await fixture.load({ flags: { profile: "slow" } });
  expect(config).toMatchObject({
    model: "slow",
    developerInstructions: "top",
    projectDocMaxBytes: 7,
    baseInstructions: "Slowly.",
  });
  expect(origins.get("model")).toMatchObject({
    kind: "profile",
    profile: "slow",
    file: fixture.path("home/slow.config.toml"),
  });
});

test("a profile's name cannot reach a file outside the home", async () => {
  await using fixture = await configFixture({ "out.config.toml": 'model = "stolen"' });
  expect(await fixture.loadError({ flags: { profile: "../out" } })).toMatchObject({
    kind: "profile",
    message: "config profile `../out` not found",
  });
});

test("a key that no profile may have is told and does not take effect", async () => {
  await using fixture = await configFixture({
    "home/config.toml": "[profiles.p]\nproject_doc_max_bytes = 1",
  });
  const { config, warnings } = await fixture.load({ flags: { profile: "p" } });
  expect(config.projectDocMaxBytes).toBe(32_768);
  expect(warnings.map(fixture.masked)).toEqual([
    "/fixture/home/config.toml:2:1: unknown key `profiles.p.project_doc_max_bytes` is ignored; did you mean `project_doc_max_bytes` at top level, above the first `[table]`?",
  ]);
});

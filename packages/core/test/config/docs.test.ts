import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { configFixture } from "./config-fixture.ts";
import { keyTables } from "./key-table.ts";

const file = fileURLToPath(new URL("../../../../docs/config.md", import.meta.url));
const text = readFileSync(file, "utf8");

// Written by `vitest run packages/core/test/config -u`.
test("docs/config.md has every key of the schema", async () => {
  const fresh = text.replace(
    /(<!-- keys: .*-->\n)[^]*(<!-- \/keys -->)/,
    (_, open: string, close: string) => `${open}\n${keyTables()}\n\n${close}`,
  );
  expect(fresh).toContain(keyTables());
  await expect(fresh).toMatchFileSnapshot(file);
});

/** What stands in the comment before an example: how to load it, and what must come of it. */
const Expectation = z.object({
  flags: z.record(z.string(), z.string()).default({}),
  variables: z.record(z.string(), z.string()).default({}),
  config: z.record(z.string(), z.unknown()).default({}),
});

const examples = [...text.matchAll(/(?:<!-- loads: (.*) -->\n)?```toml\n([^]*?)```/g)].map(
  ([, expectation, toml = ""]) => {
    const json: unknown = JSON.parse(expectation ?? "{}");
    return { name: toml.split("\n")[0] ?? "", toml, ...Expectation.parse(json) };
  },
);

test("there are examples", () => {
  expect(examples.length).toBeGreaterThanOrEqual(8);
});

test.each(examples)(
  "the example $name loads strictly and without a warning",
  async ({ toml, flags, variables, config }) => {
    await using fixture = await configFixture({ "home/config.toml": toml });
    const loaded = await fixture.load({ flags: { ...flags, strictConfig: true }, variables });
    expect(loaded.warnings).toEqual([]);
    expect(loaded.config).toMatchObject(config);
  },
);

test("the -c arguments of the shell examples load", async () => {
  const lines = [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = ""]) =>
    block.split("\n"),
  );
  const overrides = lines.flatMap((line) =>
    [...line.matchAll(/ -c (?:'([^']*)'|(\S+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? ""),
  );
  expect(overrides.length).toBeGreaterThan(2);
  await using fixture = await configFixture();
  const { config, warnings } = await fixture.load({ flags: { overrides, strictConfig: true } });
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    model: "o3",
    tools: { updatePlan: true },
    shellEnvironmentPolicy: { set: { CI: "1" } },
  });
});

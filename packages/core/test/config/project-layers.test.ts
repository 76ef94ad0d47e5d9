import { mkdir, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { type ConfigFixture, configFixture } from "./config-fixture.ts";

async function project(
  files: Readonly<Record<string, string>>,
  trust?: { readonly path: string; readonly level: string },
): Promise<ConfigFixture> {
  const fixture = await configFixture({ "project/.git/": "", "project/sub/deep/": "", ...files });
  if (trust !== undefined)
    await fixture.directory.write(
      "home/config.toml",
      `[projects."${fixture.path(trust.path)}"]\ntrust_level = "${trust.level}"`,
    );
  return fixture;
}

test("config.md 4: files count from the root down to the working directory, the nearest last", async () => {
  await using fixture = await project(
    {
      ".codex/config.toml": 'model = "above the root"\nmodel_verbosity = "high"',
      "project/.codex/config.toml": 'model = "root"\ndeveloper_instructions = "root"',
      "project/sub/deep/.codex/config.toml": 'model = "deep"',
    },
    { path: "project", level: "trusted" },
  );
  const { config, layers } = await fixture.load({ from: "project/sub/deep" });
  expect(config).toMatchObject({ model: "deep", developerInstructions: "root" });
  expect(config.modelVerbosity).toBeUndefined();
  expect(layers.map((layer) => layer.kind)).toEqual([
    "default",
    "user",
    "project",
    "project",
    "override",
    "flag",
  ]);
});

test("config.md 3: paths in a project file start at its .codex folder", async () => {
  await using fixture = await project(
    {
      "project/.codex/config.toml": 'model_instructions_file = "base.md"',
      "project/.codex/base.md": "Ours.",
    },
    { path: "project", level: "trusted" },
  );
  expect((await fixture.load({ from: "project/sub" })).config.baseInstructions).toBe("Ours.");
});

test("config.md 4: a project nobody decided on does not count, and the warning says what to do", async () => {
  await using fixture = await project({ "project/.codex/config.toml": 'model = "x"\nbroken =' });
  const { config, warnings } = await fixture.load({ from: "project/sub" });
  expect(config.model).toBe("gpt-5.5");
  expect(config.sandbox.mode).toBe("read-only");
  expect(warnings.map(fixture.masked)).toEqual([
    "/fixture/project/.codex/config.toml is ignored: To load config.toml, add /fixture/project as a trusted project in /fixture/home/config.toml.",
  ]);
});

test("config.md 4: an untrusted project does not count; any decision makes the mode workspace-write", async () => {
  await using fixture = await project(
    { "project/.codex/config.toml": 'model = "x"' },
    { path: "project", level: "untrusted" },
  );
  const { config, warnings } = await fixture.load();
  expect(config.model).toBe("gpt-5.5");
  expect(config.sandbox.mode).toBe("workspace-write");
  expect(warnings.map(fixture.masked)).toEqual([
    "/fixture/project/.codex/config.toml is ignored: /fixture/project is marked as untrusted in /fixture/home/config.toml. To load config.toml, mark it trusted.",
  ]);
});

test("config.md 4: trust of the root holds for a folder below, a folder's own decision goes first", async () => {
  await using fixture = await project({ "project/sub/.codex/config.toml": 'model = "sub"' });
  const write = (sub: string): Promise<string> =>
    fixture.directory.write(
      "home/config.toml",
      `[projects]\n"${fixture.path("project")}".trust_level = "trusted"\n${sub}`,
    );
  await write("");
  expect((await fixture.load({ from: "project/sub" })).config.model).toBe("sub");
  await write(`"${fixture.path("project/sub")}".trust_level = "untrusted"`);
  expect((await fixture.load({ from: "project/sub" })).config.model).toBe("gpt-5.5");
});

test("config.md 4: a worktree inherits the trust of the main checkout", async () => {
  await using fixture = await project({}, { path: "project", level: "trusted" });
  await fixture.directory.write(
    "tree/.git",
    `gitdir: ${fixture.path("project/.git/worktrees/tree")}\n`,
  );
  await fixture.directory.write("tree/.codex/config.toml", 'model = "tree"');
  expect((await fixture.load({ from: "tree" })).config.model).toBe("tree");
});

test("a decision made for the canonical path holds for a link to it", async () => {
  await using fixture = await project(
    { "project/.codex/config.toml": 'model = "linked"' },
    { path: "project", level: "trusted" },
  );
  await symlink(fixture.path("project"), fixture.path("link"));
  const { config } = await fixture.load({ from: "link" });
  expect([config.model, config.cwd]).toEqual(["linked", fixture.path("link")]);
});

test("config.md 4: root markers come from every layer but the project's", async () => {
  const files = {
    "project/.codex/config.toml": 'project_root_markers = [".nothing"]\nmodel = "outer"',
    "project/sub/.root": "",
    "project/sub/.codex/config.toml": 'model = "inner"',
  };
  await using fixture = await project(files, { path: "project", level: "trusted" });
  const load = (markers: string[]): Promise<unknown> =>
    fixture
      .load({ from: "project/sub/deep", flags: { overrides: markers } })
      .then(({ layers }) =>
        layers
          .filter((layer) => layer.kind === "project")
          .map((layer) => fixture.masked(layer.file!)),
      );
  const [outer, inner] = [
    "/fixture/project/.codex/config.toml",
    "/fixture/project/sub/.codex/config.toml",
  ];
  expect(await load([])).toEqual([outer, inner]);
  expect(await load(['project_root_markers=[".root"]'])).toEqual([inner]);
  expect(await load(["project_root_markers=[]"])).toEqual([]);
  expect(await load(['project_root_markers=[".absent"]'])).toEqual([]);
});

test("config.md 4: the user's own home is no project, by whatever path it is met", async () => {
  await using fixture = await configFixture({ "project/.git/": "" });
  await mkdir(fixture.path("user/.codex"), { recursive: true });
  await fixture.directory.write("user/.codex/config.toml", 'model = "once"');
  await symlink(fixture.path("user/.codex"), fixture.path("project/.codex"));
  const { layers, warnings } = await fixture.load({
    variables: { CODEX_HOME: fixture.path("user/.codex") },
  });
  expect(layers.map((layer) => layer.kind)).toEqual(["default", "user", "override", "flag"]);
  expect(warnings).toEqual([]);
});

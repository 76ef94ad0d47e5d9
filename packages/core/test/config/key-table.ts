import { configJsonSchema } from "@codex/core";
import { defaultTable } from "../../src/config/defaults.ts";
import { alwaysOnFeatures, featureAliases, featureDefaults } from "../../src/config/features.ts";
import { withoutEffect } from "../../src/config/config-tables.ts";
import { isTable, type TomlTable, valueAt } from "../../src/config/toml-table.ts";

interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly $ref?: string;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly additionalProperties?: SchemaNode | false;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

/** The tables of docs/config.md: every key the schema knows. */
export function keyTables(): string {
  const root = configJsonSchema() as SchemaNode;
  const definitions = root.definitions ?? {};
  const inProfiles = new Set(Object.keys(definitions["Profile"]?.properties ?? {}));
  const section = (heading: string, node: SchemaNode | undefined, path: string[]): string =>
    [
      `### ${heading}`,
      "",
      "| Key | Type | Default | Meaning |",
      "|---|---|---|---|",
      ...rows(node, path, path.length === 0 ? inProfiles : new Set()),
      "",
    ].join("\n");
  return [
    section("Top level", root, []),
    "Keys marked with ◆ may also stand in a profile.",
    "",
    section("`[model_providers.ID]`", definitions["ModelProvider"], ["model_providers", ""]),
    section("`[environments.NAME]`", definitions["Environment"], ["environments", ""]),
    section("`[sandbox_workspace_write]`", definitions["SandboxWorkspaceWrite"], [
      "sandbox_workspace_write",
    ]),
    section("`[shell_environment_policy]`", definitions["ShellEnvironmentPolicy"], [
      "shell_environment_policy",
    ]),
    section("`[tools]`", definitions["Tools"], ["tools"]),
    section(
      "`[tools.update_plan]`, `[tools.experimental_request_user_input]`",
      definitions["Switch"],
      ["tools", ""],
    ),
    section('`[projects."PATH"]`', definitions["Project"], ["projects", ""]),
    "### `[features]`",
    "",
    `With effect: ${featureList()}. Always on: ${alwaysOnFeatures.map((name) => `\`${name}\``).join(", ")}.`,
    "",
    `Old names: ${aliasList()}.`,
    "",
    "### Keys of the original without effect here",
    "",
    "They load, and one notice names those that are set.",
    "",
    `Top level: ${unused(root)}.`,
    "",
    `Tables: ${["ModelProvider", "ShellEnvironmentPolicy", "Tools"]
      .flatMap((name) => unusedKeys(definitions[name]).map((key) => `\`${tableOf[name]}.${key}\``))
      .join(", ")}.`,
    "",
    `Features: ${unusedFeatures(definitions["Features"])}.`,
  ].join("\n");
}

const tableOf: Readonly<Record<string, string>> = {
  ModelProvider: "model_providers.ID",
  ShellEnvironmentPolicy: "shell_environment_policy",
  Tools: "tools",
};

function rows(
  node: SchemaNode | undefined,
  path: string[],
  inProfiles: ReadonlySet<string>,
): string[] {
  const keys = Object.entries(node?.properties ?? {}).filter(([, key]) => !isUnused(key));
  return keys.map(([key, child]) => {
    const mark = inProfiles.has(key) ? " ◆" : "";
    const isRequired = node?.required?.includes(key) === true;
    const byDefault = isRequired ? "required" : defaultOf([...path, key]);
    const meaning = (child.description ?? "").replaceAll("|", "\\|");
    return `| \`${key}\`${mark} | ${typeOf(child)} | ${byDefault} | ${meaning} |`;
  });
}

function typeOf(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.map((name) => `\`${name}\``).join(", ");
  if (node.anyOf !== undefined) return node.anyOf.map(typeOf).join("; or ");
  if (node.$ref !== undefined || node.allOf !== undefined) return "table";
  if (node.type === "array") return `list of ${typeOf(node.items ?? {})}`;
  if (node.type !== "object") return node.type ?? "any";
  return node.properties === undefined ? "table by name" : "table";
}

function defaultOf(path: string[]): string {
  const value = valueAt(defaultTable as TomlTable, path);
  const isTableWithKeys = isTable(value) && Object.keys(value).length > 0;
  return value === undefined || isTableWithKeys ? "" : `\`${JSON.stringify(value)}\``;
}

function isUnused(node: SchemaNode): boolean {
  return node.description === withoutEffect.description;
}

function unusedKeys(node: SchemaNode | undefined): string[] {
  const keys = Object.entries(node?.properties ?? {});
  return keys.filter(([, child]) => isUnused(child)).map(([key]) => key);
}

function unused(node: SchemaNode): string {
  return unusedKeys(node)
    .map((key) => `\`${key}\``)
    .join(", ");
}

function featureList(): string {
  return Object.entries(featureDefaults)
    .map(([name, isOn]) => `\`${name}\` (${isOn ? "on" : "off"})`)
    .join(", ");
}

function unusedFeatures(node: SchemaNode | undefined): string {
  return Object.keys(node?.properties ?? {})
    .filter((name) => !isInUse(featureAliases[name] ?? name))
    .map((name) => `\`${name}\``)
    .join(", ");
}

function isInUse(name: string): boolean {
  return (
    Object.hasOwn(featureDefaults, name) || alwaysOnFeatures.some((feature) => feature === name)
  );
}

function aliasList(): string {
  return Object.entries(featureAliases)
    .filter(([, name]) => isInUse(name))
    .map(([alias, name]) => `\`${alias}\` for \`${name}\``)
    .join(", ");
}

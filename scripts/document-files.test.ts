import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n");
const documents = files.filter(
  (file) => file.endsWith(".md") && !file.startsWith("docs/decisions/"),
);

test.each(documents)("%s names files that exist, and its links lead somewhere", (document) => {
  const text = readFileSync(join(root, document), "utf8").replaceAll(/^```.*?^```/gms, "");
  const named = [...text.matchAll(/`([\w@./{},-]+\.(?:ts|mjs|md|json|jsonl|yml))`/g)]
    .flatMap(([, name = ""]) => alternatives(name))
    .filter((name) => !isElsewhere(name) && !files.some((file) => isMeant(name, file)));
  const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
    .map(([, target = ""]) => join(dirname(document), target).replace(/\/$/, ""))
    .filter((target) => !files.some((file) => file === target || file.startsWith(`${target}/`)));
  expect({ named, linked }).toEqual({ named: [], linked: [] });
});

/** `{a,b}.ts` is `a.ts` and `b.ts`. */
function alternatives(name: string): string[] {
  const [, before = "", list, after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
  return list === undefined ? [name] : list.split(",").map((one) => `${before}${one}${after}`);
}

/** A file of a person's, of a published package, of the build, or an ending. */
function isElsewhere(name: string): boolean {
  return /^(\.|@|\/)|\/dist\/|^(config|package|AGENTS|AGENTS\.override)\./.test(name);
}

/** A document may leave out folders in front, and `src` after a package's name. */
function isMeant(name: string, file: string): boolean {
  const [first = "", ...rest] = name.split("/");
  const end = rest.join("/");
  return (
    file === name ||
    file.endsWith(`/${name}`) ||
    (end !== "" && file.includes(`/${first}/`) && file.endsWith(`/${end}`))
  );
}

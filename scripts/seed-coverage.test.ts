import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const list = new URL("../shared/spec/seed-rows.md", root);

interface CoveredRow {
  readonly id: string;
  /** A test (file and words in it), a decision note, or what is open. */
  readonly claims: readonly string[];
}

const rows: readonly CoveredRow[] = Array.from(
  text("docs/seed-coverage.md").matchAll(/^\| ([A-Z]\d+) \| (.*) \|$/gm),
  ([, id = "", claims = ""]) => ({ id, claims: claims.replaceAll("\\|", "|").split("<br>") }),
);

test("every row of docs/seed-coverage.md leads to a test that exists or to a decision", () => {
  expect(rows.length).toBeGreaterThan(100);
  const broken = rows.flatMap(({ id, claims }) =>
    claims.filter((claim) => !isKept(claim)).map((claim) => `${id}: ${claim}`),
  );
  expect(broken).toEqual([]);
});

test("what is open is printed, and nothing is", () => {
  const open = rows.filter(({ claims }) => claims.some((claim) => claim.startsWith("open: ")));
  for (const { id, claims } of open) console.log(`open: ${id} ${claims.join(", ")}`);
  expect(open.map(({ id }) => id)).toEqual([]);
});

const hasList = existsSync(list);
if (!hasList) console.log("skipped: the seed's rows are not beside this checkout");

test.skipIf(!hasList)("docs/seed-coverage.md has the seed's rows, each once and in order", () => {
  const ids = Array.from(
    readFileSync(list, "utf8").matchAll(/^\| ([A-Z]\d+) \|/gm),
    ([, id]) => id,
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

function isKept(claim: string): boolean {
  const note = /^decision \[\d+\]\((decisions\/[\w-]+\.md)\)$/.exec(claim);
  if (note !== null) return existsSync(new URL(`docs/${note[1]}`, root));
  const [, file, words] = /^(\S+): “(.*)”$/.exec(claim) ?? [];
  if (file === undefined || words === undefined) return claim.startsWith("open: ");
  if (!existsSync(new URL(file, root))) return false;
  // The words are the whole of a string in the test's source.
  const source = text(file);
  return ['"', "`"].some((quote) => source.includes(`${quote}${words}${quote}`));
}

function text(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

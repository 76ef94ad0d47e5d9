import { readFileSync } from "node:fs";

/** The name people see: in the header, in the version line, as the product of the user agent. */
export const productName = "codex-runtime";

/** Version of the installed package. */
export function productVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

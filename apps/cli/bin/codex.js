#!/usr/bin/env node
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);
if (existsSync(main)) await (await import(main.href)).runMain();
else {
  console.error("codex is not built yet: run `pnpm build`");
  process.exitCode = 2;
}

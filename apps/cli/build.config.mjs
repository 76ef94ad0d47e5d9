import { defineConfig } from "rolldown";

/** What a field means stands in its schema for the documents; at a start each of those words would cost a second schema. */
const withoutDescriptions = {
  name: "without-descriptions",
  transform: {
    filter: { id: /\/packages\/protocol\/src\// },
    handler: (code) => code.replaceAll(/\.describe\(\s*"(?:[^"\\]|\\.)*",?\s*\)/g, ""),
  },
};

const shared = {
  plugins: [withoutDescriptions],
  platform: "node",
  transform: { target: "node20.19" },
  // The terminal binary stays outside.
  external: ["node-pty"],
  resolve: { conditionNames: ["@codex/source", "node", "import", "default"] },
};
const output = {
  dir: "dist",
  sourcemap: false,
  codeSplitting: false,
  // Half the text to parse at every start; names stay, so that a stack says where.
  minify: { compress: true, mangle: { keepNames: true } },
};

/** What `main` loads together with V8's own notes about it; see src/load-bundle.ts. */
function bundle(name, source) {
  // A script with a code cache cannot import; what Node brings is required.
  const format = { format: "cjs", entryFileNames: "[name].cjs", dynamicImportInCjs: false };
  return { ...shared, input: { [name]: source }, output: { ...output, ...format } };
}

/** What Node loads by itself. */
function module(name, source, more) {
  return { ...shared, input: { [name]: source }, output: { ...output, format: "esm", ...more } };
}

export default defineConfig([
  module("main", "src/main.ts", { entryFileNames: "[name].js" }),
  bundle("app", "src/app.ts"),
  bundle("exec-server", "src/exec-server/main.ts"),
  // The server in one file, for a machine that has Node and nothing else.
  module("codex-exec-server", "src/exec-server/single-file.ts", {
    entryFileNames: "[name].mjs",
    banner: "#!/usr/bin/env node",
  }),
]);

import { defineConfig } from "rolldown";

const shared = {
  platform: "node",
  transform: { target: "node20.19" },
  // The terminal binary stays outside.
  external: ["node-pty"],
  resolve: { conditionNames: ["@codex/source", "node", "import", "default"] },
};
const output = {
  dir: "dist",
  format: "esm",
  sourcemap: false,
  // Half the text to parse at every start; names stay, so that a stack says where.
  minify: { compress: true, mangle: { keepNames: true } },
};

export default defineConfig([
  // The app as two entries that share chunks; everything heavy loads on first use.
  {
    ...shared,
    input: { main: "src/main.ts", "codex-exec-server": "src/exec-server/main.ts" },
    output: { ...output, entryFileNames: "[name].js", chunkFileNames: "[name].js" },
  },
  // The server in one file, for a machine that has Node and nothing else.
  {
    ...shared,
    input: { "codex-exec-server": "src/exec-server/single-file.ts" },
    output: {
      ...output,
      entryFileNames: "[name].mjs",
      codeSplitting: false,
      banner: "#!/usr/bin/env node",
    },
  },
]);

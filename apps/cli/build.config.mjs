import { defineConfig } from "rolldown";

/** The app as two entries that share chunks; the terminal binary stays outside, everything heavy loads on first use. */
export default defineConfig({
  input: { main: "src/main.ts", "codex-exec-server": "src/exec-server/main.ts" },
  platform: "node",
  transform: { target: "node20.19" },
  external: ["node-pty"],
  resolve: { conditionNames: ["@codex/source", "node", "import", "default"] },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    sourcemap: false,
    // Half the text to parse at every start; names stay, so that a stack says where.
    minify: { compress: true, mangle: { keepNames: true } },
  },
});

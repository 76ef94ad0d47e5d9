import { defineConfig } from "vitest/config";

const conditions = ["@codex/source", "node", "import", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    pool: "forks",
    // Most tests wait for a process or a socket; vitest itself would leave one of two cores idle.
    maxWorkers: 3,
    testTimeout: 20_000,
    // Thousands of real processes on a busy machine: CI gives a failed test another chance, and says which ones took it.
    retry: process.env["CI"] ? 2 : 0,
    hookTimeout: 20_000,
    reporters: ["default", "./scripts/closing-line-reporter.ts"],
  },
});

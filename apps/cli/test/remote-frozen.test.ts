import { test } from "vitest";
import { startExecutor } from "./executor.ts";
import { expectLost } from "./far-run.ts";

test("an executor that freezes while a command runs is found by its pings within 15 s: exit 4, no code made up", async () => {
  await using executor = await startExecutor();
  const bound = { signal: "SIGSTOP", withinMs: 18_000 } as const;
  await expectLost(`url = "${executor.url}"\nresume_timeout_sec = 0`, executor, bound);
}, 40_000);

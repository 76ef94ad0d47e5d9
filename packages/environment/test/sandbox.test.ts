import { createLocalEnvironment } from "@codex/environment";
import { describeSandbox } from "@codex/environment/testing";
import { test } from "vitest";
import { hasBubblewrap } from "./sandbox-bench.ts";

if (!hasBubblewrap) test.skip("sandbox: bwrap is not installed", () => {});
else
  describeSandbox("this machine", async (_intent, cwd) =>
    createLocalEnvironment({ cwd, variables: process.env }),
  );

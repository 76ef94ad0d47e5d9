import { afterAll, beforeAll } from "vitest";
import type { ExecSetup } from "./exec-with.ts";
import { type Executor, startExecutor } from "./executor.ts";

/**
 * Where a run can work, for `describe.each`: on this machine, and on a server behind a websocket in a folder of its
 * own, while the folder it is started in stays empty. What comes out must be the same. Called once, by the test file
 * itself: the server lives as long as that.
 */
export function hereAndThere(): readonly (readonly [string, () => Pick<ExecSetup, "executor">])[] {
  let executor: Executor | undefined;
  beforeAll(async () => {
    executor = await startExecutor();
  });
  afterAll(() => executor?.[Symbol.asyncDispose]());
  return [
    ["here", () => ({})],
    ["there", () => ({ executor })],
  ];
}

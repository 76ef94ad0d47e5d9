import { openSpawnContext, spawnProcess } from "@codex/pty";
import { processContract, type ProcessSide } from "@codex/pty/testing";
import { test } from "vitest";
import { bubblewrapHere, scratchOnly, wrapHere } from "./sandboxed.ts";

if (bubblewrapHere === undefined)
  test.skip("this machine, sandboxed: bwrap is not installed", () => {});
else
  processContract("this machine, sandboxed", () => openSandboxedSide(), {
    resize: true,
    closeStdin: true,
    stdinPipes: true,
    signals: true,
    gracefulTerminate: true,
    exitSignal: false, // told as 128+n, as a shell does
    descendantsEndWithIt: true,
  });

async function openSandboxedSide(): Promise<ProcessSide> {
  const context = openSpawnContext(process.env);
  const sandboxed = { ...context, wrap: wrapHere() };
  return {
    start: (options, signal) =>
      spawnProcess({ ...options, sandbox: scratchOnly }, sandboxed, signal),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

import { fullAccess } from "@codex/protocol";
import { expect, onTestFinished, test } from "vitest";
import {
  defaultTerminalSize,
  exactEnvironment,
  openSpawnContext,
  spawnProcess,
} from "../src/index.ts";

const variables = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };

/** A program on a terminal that closes its standard streams, as `cat` does at its end, and takes a moment to exit. */
async function closesThen(rest: string) {
  const context = openSpawnContext(process.env);
  onTestFinished(() => context[Symbol.asyncDispose]());
  const program = await spawnProcess(
    {
      argv: ["sh", "-c", `echo said; exec 0<&- 1>&- 2>&-; ${rest}`],
      cwd: "/",
      env: exactEnvironment(variables),
      tty: defaultTerminalSize,
      stdin: "open",
      sandbox: fullAccess,
    },
    context,
  );
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of program.output) pieces.push(bytes);
  await program.closed;
  return { output: Buffer.concat(pieces).toString(), exit: await program.exit };
}

test("a program that closes its streams before it exits keeps its exit code: the terminal is not hung up under it", async () => {
  expect(await closesThen("sleep 0.2; exit 7")).toEqual({ output: "said\r\n", exit: { code: 7 } });
});

test("a program that lives on without its terminal is hung up after a grace", async () => {
  expect(await closesThen("sleep 60; exit 7")).toEqual({
    output: "said\r\n",
    exit: { code: 129, signal: "SIGHUP" },
  });
});

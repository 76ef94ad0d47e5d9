import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { singleFilePath } from "@codex/test-support";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const script = fileURLToPath(
  new URL("../../../../../shared/tools/exec-server-conformance.mjs", import.meta.url),
);
const isThere = existsSync(script);
if (!isThere) console.log("skipped: the conformance script is not beside this checkout");

/**
 * Parts that run side by side, the last with whatever no other names: most of the time goes into starting servers and
 * waiting. Left out is one check that only observes, 5 s of silence: how an id is answered that no double holds.
 */
const parts = [
  "^(handshake|connection):",
  "^(start|terminate):",
  "^messages: (?!ids above)",
  "^(?!handshake|connection|start|terminate|messages)",
];
const runs = ["stdio", "ws"].flatMap((transport) =>
  parts.map((part) => [transport, part] as const),
);

describe.skipIf(!isThere)("conformance with exec-server.v0", () => {
  test.concurrent.each(runs)(
    "every quick check passes over %s: %s",
    async (transport, part) => {
      const { code, output } = await runChecks(transport, part);
      expect(output.split("\n").filter((line) => line.startsWith("FAIL"))).toEqual([]);
      expect(output).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
      expect(code).toBe(0);
    },
    180_000,
  );
});

async function runChecks(transport: string, part: string) {
  const server = `${process.execPath} ${singleFilePath}`;
  const args = [script, "--server", server, "--transport", transport, "--quick", "--only", part];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

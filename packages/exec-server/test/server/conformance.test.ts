import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { serverProgram } from "../client/connections.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const script = fileURLToPath(
  new URL("../../../../../shared/tools/exec-server-conformance.mjs", import.meta.url),
);
const isThere = existsSync(script);
if (!isThere) console.log("skipped: the conformance script is not beside this checkout");

describe.skipIf(!isThere)("conformance with exec-server.v0", () => {
  test.concurrent.each(["stdio", "ws"])(
    "every quick check passes over %s",
    async (transport) => {
      const server = `${process.execPath} ${serverProgram}`;
      const args = [script, "--server", server, "--transport", transport, "--quick"];
      const child = spawn(process.execPath, args, {
        cwd: root,
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
      const [code] = (await once(child, "close")) as [number];
      expect(output.split("\n").filter((line) => line.startsWith("FAIL"))).toEqual([]);
      expect(output).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
      expect(code).toBe(0);
    },
    180_000,
  );
});

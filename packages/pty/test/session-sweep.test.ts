import { expect, test } from "vitest";
import { SessionSweep } from "../src/session-sweep.ts";
import { openBench } from "./bench.ts";

const isLinux = process.platform === "linux";

test.runIf(isLinux)(
  "those who ask in one turn share one look, and each gets its own jobs ended",
  async () => {
    await using bench = openBench();
    // The shell ends at once; its job is a group of its own and holds the output.
    const script = "trap '' HUP; set -m; sleep 600 & echo ready";
    const shells = await Promise.all([bench.start(script), bench.start(script)]);
    await using bystander = await bench.start("set -m; sleep 600 & wait");
    let hasEnded = false;
    void bystander.exit.then(() => (hasEnded = true));
    await Promise.all(shells.map(({ exit }) => exit));
    const sessions = new SessionSweep();
    const asked = shells.map(({ pid }) => sessions.kill(pid ?? 0));
    expect(asked[1]).toBe(asked[0]);
    await Promise.all(asked);
    for (const shell of shells) for await (const _chunk of shell.output);
    expect(hasEnded).toBe(false);
    const later = sessions.kill(bystander.pid ?? 0);
    expect(later).not.toBe(asked[0]);
    await later;
    expect(await bystander.exit).toEqual({ code: 137, signal: "SIGKILL" });
  },
);

import { spawnSync } from "node:child_process";

export const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;

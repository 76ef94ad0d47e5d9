import { release } from "node:os";
import { productName, productVersion } from "../version.ts";
import type { Check } from "./check.ts";

const oldestNode = [20, 19] as const;

/** Whether this Node is new enough. */
export const versionsCheck: Check = {
  name: "versions",
  run: async () => {
    const versions = `${productName} ${productVersion()}, Node ${process.versions.node}, ${process.platform} ${process.arch} ${release()}`;
    if (isNewEnough(process.versions.node)) return { isGood: true, text: versions };
    const wanted = oldestNode.join(".");
    return { isGood: false, text: `${versions}. Install Node ${wanted} or newer` };
  },
};

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

import type { EnvironmentInfo } from "@codex/environment";
import {
  baseName,
  type CurrentResult,
  parseAbsolutePath,
  parseWirePath,
  toAbsolutePath,
} from "@codex/protocol";

type Told = CurrentResult<"environmentInfo">;

/** What a machine told about itself; where it is silent, what is true of most. */
export function machineFacts(told: Told): Omit<EnvironmentInfo, "cwd"> {
  const { userHomeDir, tempDir, platformOs = "linux", shell } = told;
  const path = parseAbsolutePath(shell.path) ?? toAbsolutePath("/bin/sh");
  return {
    home: parseWirePath(userHomeDir ?? "") ?? toAbsolutePath("/"),
    tempDirectory: parseWirePath(tempDir ?? "") ?? toAbsolutePath("/tmp"),
    platform: platformOs,
    shell: { name: shell.name === "" ? baseName(path) : shell.name, path },
  };
}

import type { Environment, EnvironmentInfo } from "@codex/environment";
import { type CurrentResult, toFileUri } from "@codex/protocol";

/** The original's optional parts. None of them is here; what we add is named in `initialize` instead. */
const capabilities = Object.fromEntries(
  [
    "networkProxyLaunch",
    "networkProxyReviewDomains",
    "networkProxyTransparentTcp",
    "credentialMasking",
    "credentialMaskingCustomProviders",
    "capabilityDiscoverySandbox",
    "fsWatchMissing",
    "capabilityDiscoveryV2",
    "environmentConfigRead",
    "httpHeaderEnvVars",
    "sandboxedFileStreaming",
    "fileWriteStreaming",
    "shellSnapshotV2",
    "windowsMxc",
    "linuxRootWritePreservesDevices",
    "linuxApprovedRootWritePreservesRestrictions",
  ].map((name) => [name, false]),
);

/** `environment/info` of an environment. */
export async function describeMachine(
  environment: Environment,
): Promise<CurrentResult<"environmentInfo">> {
  const { shell, cwd, home, tempDirectory, platform } = await environment.info();
  return {
    shell: { name: shell.name, path: shell.path },
    executorVersion,
    cwd: toFileUri(cwd),
    userHomeDir: toFileUri(home),
    platformOs: osName(platform),
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: toFileUri(tempDirectory),
    capabilities,
  };
}

/** Of this package. */
const executorVersion = "0.1.0";

function osName(platform: EnvironmentInfo["platform"]): string {
  return platform === "darwin" ? "macos" : platform;
}

export {
  encodeEvent,
  itemEvents,
  lifecycleEvent,
  outputItem,
  scriptedUsage,
  type WireEvent,
  type WireItem,
} from "./model-events.ts";
export { type ModelServer, type RecordedRequest, startModelServer } from "./model-server.ts";
export { type CuttingProxy, type CutRule, startCuttingProxy } from "./cutting-proxy.ts";
export { nextEvent, within } from "./next-event.ts";
export { cliPath, type CliResult, runCli, type RunCliOptions } from "./run-cli.ts";
export { copySingleFile, type LoneServer, singleFilePath } from "./single-file.ts";
export {
  missingForSsh,
  type SshServer,
  type SshServerOptions,
  startSshServer,
} from "./ssh-server.ts";
export type { Scenario, ScenarioItem, ScenarioTurn } from "./scenario.ts";
export { temporaryDirectory, type TemporaryDirectory } from "./temporary-directory.ts";

import type { Handler } from "@codex/jsonrpc";
import { execServerCurrent, type RequestDefinition } from "@codex/protocol";
import type { DialectContext } from "../../server/server-dialect.ts";
import type { Session } from "../../server/session.ts";
import type { GrantedExtensions } from "./extensions.ts";
import { describeMachine } from "./machine.ts";
import type { CurrentBlocks } from "./server-blocks.ts";
import type { CurrentFiles } from "./server-files.ts";
import type { CurrentProcesses } from "./server-processes.ts";

/** What a connection has once it is initialized. */
export interface Spoken {
  readonly session: Session;
  readonly extensions: GrantedExtensions;
  readonly processes: CurrentProcesses;
  readonly files: CurrentFiles;
  readonly blocks: CurrentBlocks;
}

export type RouteAnswer<Definition extends RequestDefinition> = (
  spoken: Spoken,
  ...call: Parameters<Handler<Definition>>
) => ReturnType<Handler<Definition>>;

/** Says who answers a method, once the connection is initialized. */
export type Route = <Definition extends RequestDefinition>(
  definition: Definition,
  answer: RouteAnswer<Definition>,
) => void;

const { requests } = execServerCurrent;

export function routeMachine(on: Route, { environment, sessions }: DialectContext): void {
  on(requests.environmentInfo, () => describeMachine(environment));
  on(requests.environmentStatus, () => ({ status: "ready" }));
  on(requests.sessionEnd, async ({ session }) => {
    await sessions.end(session);
    return {};
  });
}

/** Reads that wait end with the signal. */
export function routeProcesses(on: Route, closing: AbortSignal): void {
  on(requests.processStart, ({ processes }, ...call) => processes.start(...call));
  on(requests.processRead, ({ processes }, params) => processes.read(params, closing));
  on(requests.processWrite, ({ processes }, params) => processes.write(params));
  on(requests.processSignal, ({ processes }, params) => processes.signal(params));
  on(requests.processTerminate, ({ processes }, params) => processes.terminate(params));
  on(requests.processResize, ({ processes }, params) => processes.resize(params));
  on(requests.processCloseStdin, ({ processes }, params) => processes.closeStdin(params));
  on(requests.processList, ({ processes }) => processes.list());
}

export function routeFiles(on: Route): void {
  on(requests.fsReadFile, ({ files }, params) => files.readFile(params));
  on(requests.fsReadRange, ({ files }, params) => files.readRange(params));
  on(requests.fsWriteFile, ({ files }, params) => files.writeFile(params));
  on(requests.fsCreateDirectory, ({ files }, params) => files.createDirectory(params));
  on(requests.fsGetMetadata, ({ files }, params) => files.getMetadata(params));
  on(requests.fsReadDirectory, ({ files }, params) => files.readDirectory(params));
  on(requests.fsRemove, ({ files }, params) => files.remove(params));
  on(requests.fsCopy, ({ files }, params) => files.copy(params));
  on(requests.fsRename, ({ files }, params) => files.rename(params));
  on(requests.fsCanonicalize, ({ files }, params) => files.canonicalize(params));
  on(requests.fsWalk, ({ files }, params) => files.walk(params));
  on(requests.fsOpen, ({ blocks }, params) => blocks.open(params));
  on(requests.fsReadBlock, ({ blocks }, params) => blocks.read(params));
  on(requests.fsWriteBlock, ({ blocks }, params) => blocks.write(params));
  on(requests.fsClose, ({ blocks }, params) => blocks.close(params));
}

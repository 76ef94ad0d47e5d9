import { ProtocolError, Router } from "@codex/jsonrpc";
import {
  execServerV0,
  type JsonRpcNotification,
  type ParamsOf,
  type RequestDefinition,
} from "@codex/protocol";
import type { Call, Handler } from "@codex/jsonrpc";
import { CallOrder } from "../../server/call-order.ts";
import { Handshake } from "../../server/handshake.ts";
import { ProcessTable } from "../../server/process-table.ts";
import type {
  DialectConnection,
  DialectContext,
  ServerDialect,
} from "../../server/server-dialect.ts";
import { answering, invalidRequest } from "./server-errors.ts";
import { V0Files } from "./server-files.ts";
import { V0Notifications } from "./server-notifications.ts";
import { V0Processes } from "./server-processes.ts";

/** How long an exited process is kept. */
const retentionMs = 30_000;

/** `exec-server.v0`, the seed's protocol; also what is spoken before a client has said what it speaks. */
export const v0: ServerDialect = {
  name: execServerV0.protocolVersion,
  accepts: () => true,
  open: openConnection,
};

function openConnection(context: DialectContext): DialectConnection {
  const { environment, limits, clock, send } = context;
  const listener = new V0Notifications(send);
  const table = new ProcessTable({ limits, clock, retentionMs, listener });
  const order = new CallOrder(limits.maxOpenFiles);
  const handshake = new Handshake();
  const router = createRouter(
    handshake,
    new V0Processes(table, environment, order),
    new V0Files(environment.fileSystem, order),
  );
  return {
    onRequest: (request, call) => router.handle(request, call),
    onNotification: (notification) => receive(notification, handshake),
    // Ending a process must work however busy the connection is.
    isUrgent: (method) => method === execServerV0.requests.processTerminate.method,
    [Symbol.asyncDispose]: () => table[Symbol.asyncDispose](),
  };
}

function createRouter(handshake: Handshake, processes: V0Processes, files: V0Files): Router {
  const { requests } = execServerV0;
  const router = new Router({
    unknownMethod: (method) => invalidRequest(`unknown method: ${method}`),
  });
  const gated = <Definition extends RequestDefinition>(
    definition: Definition,
    handler: Handler<Definition>,
  ) => {
    const answer = (params: ParamsOf<Definition>, call: Call) =>
      answering(async () => {
        handshake.require("exec");
        return handler(params, call);
      });
    router.on(definition, answer);
  };
  router.on(requests.initialize, () => {
    handshake.initialize();
    return { protocolVersion: execServerV0.protocolVersion };
  });
  gated(requests.processStart, (params, call) => processes.start(params, call));
  gated(requests.processRead, (params) => processes.read(params));
  gated(requests.processWrite, (params) => processes.write(params));
  gated(requests.processTerminate, (params) => processes.terminate(params));
  gated(requests.fsReadFile, (params) => files.readFile(params));
  gated(requests.fsWriteFile, (params) => files.writeFile(params));
  gated(requests.fsCreateDirectory, (params) => files.createDirectory(params));
  gated(requests.fsGetMetadata, (params) => files.getMetadata(params));
  gated(requests.fsReadDirectory, (params) => files.readDirectory(params));
  gated(requests.fsRemove, (params) => files.remove(params));
  gated(requests.fsCopy, (params) => files.copy(params));
  return router;
}

function receive({ method }: JsonRpcNotification, handshake: Handshake): void {
  if (method === execServerV0.clientNotifications.initialized.method)
    return handshake.initialized();
  throw new ProtocolError("unexpectedNotification", "unexpected notification");
}

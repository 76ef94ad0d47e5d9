import { type Call, type Handler, ProtocolError, ResponseError, Router } from "@codex/jsonrpc";
import {
  checkAgainst,
  type CurrentParams,
  type CurrentResult,
  ErrorCode,
  execServerCurrent,
  type JsonRpcNotification,
  type JsonRpcRequest,
  methodExtensions,
  type ParamsOf,
  type RequestDefinition,
} from "@codex/protocol";
import { Handshake } from "../../server/handshake.ts";
import type {
  DialectConnection,
  DialectContext,
  ServerDialect,
} from "../../server/server-dialect.ts";
import type { Session } from "../../server/session.ts";
import { GrantedExtensions } from "./extensions.ts";
import { describeMachine } from "./machine.ts";
import {
  type Route,
  type RouteAnswer,
  routeFiles,
  routeMachine,
  routeProcesses,
  type Spoken,
} from "./routes.ts";
import { CurrentBlocks } from "./server-blocks.ts";
import { invalidRequest, toWireError, unknownMethod } from "./server-errors.ts";
import { CurrentFiles } from "./server-files.ts";
import { CurrentNotifications } from "./server-notifications.ts";
import { CurrentProcesses } from "./server-processes.ts";

const { requests, clientNotifications } = execServerCurrent;

/** The present form of the protocol, as the original's CLI speaks it. */
export const current: ServerDialect = {
  name: execServerCurrent.protocolVersion,
  accepts: (params) =>
    typeof params === "object" && params !== null && Object.hasOwn(params, "resumeSessionId"),
  open: (context) => new CurrentConnection(context),
};

/** What must get through however busy the connection is. */
const urgentMethods: ReadonlySet<string> = new Set([
  requests.processTerminate.method,
  requests.processSignal.method,
  requests.environmentStatus.method,
  requests.environmentInfo.method,
  requests.fsClose.method,
  requests.sessionEnd.method,
]);

class CurrentConnection implements DialectConnection {
  readonly #context: DialectContext;
  readonly #handshake = new Handshake();
  readonly #router = new Router({ unknownMethod });
  /** Aborted when the connection ends: nobody waits for an answer any more. */
  readonly #closing = new AbortController();
  #spoken: Spoken | undefined;

  constructor(context: DialectContext) {
    this.#context = context;
    this.#router.on(requests.initialize, (params, call) => this.#initialize(params, call));
    const on: Route = (definition, answer) => this.#on(definition, answer);
    routeMachine(on, context);
    routeProcesses(on, this.#closing.signal);
    routeFiles(on);
  }

  onRequest(request: JsonRpcRequest, call: Call): unknown {
    const { method } = request;
    const extension = methodExtensions[method];
    if (extension !== undefined && this.#spoken?.extensions.has(extension) !== true)
      throw unknownMethod(method);
    return this.#router.handle(request, call);
  }

  onNotification({ method, params }: JsonRpcNotification): void {
    if (method === clientNotifications.initialized.method) return this.#handshake.initialized();
    const spoken = this.#spoken;
    const ack = checkAgainst(clientNotifications.processAck.params, params);
    if (
      method !== clientNotifications.processAck.method ||
      spoken?.extensions.has("outputAck") !== true ||
      !ack.ok
    )
      throw new ProtocolError("unexpectedNotification", "unexpected notification");
    spoken.session.output.acknowledge(ack.value.processId, ack.value.seq);
  }

  onMalformed({ malformed }: { readonly malformed: string }) {
    const message = `failed to parse JSON-RPC message from exec-server ${this.#context.label}: ${malformed}`;
    return { code: ErrorCode.invalidRequest, message };
  }

  isUrgent(method: string): boolean {
    return urgentMethods.has(method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const spoken = this.#spoken;
    this.#spoken = undefined;
    this.#closing.abort();
    if (spoken !== undefined) await this.#context.sessions.release(spoken.session);
  }

  async #initialize(
    params: CurrentParams<"initialize">,
    call: Call,
  ): Promise<CurrentResult<"initialize">> {
    const { sessions, environment } = this.#context;
    const extensions = new GrantedExtensions(params.extensions);
    if (this.#spoken !== undefined) this.#handshake.initialize();
    const session = this.#enter(params.resumeSessionId ?? undefined, extensions);
    this.#handshake.initialize();
    this.#spoken = this.#speak(session, extensions);
    const listener = new CurrentNotifications(this.#context.send, extensions);
    void call.answered.then(() => {
      if (this.#spoken?.session === session)
        session.output.attach(listener, extensions.has("outputAck"));
    });
    const environmentInfo = await describeMachine(environment).catch(() => undefined);
    return {
      sessionId: session.id,
      ...(environmentInfo && { environmentInfo }),
      ...(extensions.names && { extensions: [...extensions.names] }),
      ...(extensions.has("instance") && {
        instanceId: sessions.instanceId,
        sessionGraceMs: sessions.graceMs,
      }),
    };
  }

  /** A new session, or the one to go on with. */
  #enter(resumeSessionId: string | undefined, extensions: GrantedExtensions): Session {
    const { sessions } = this.#context;
    if (resumeSessionId === undefined) return sessions.open();
    const session = sessions.resume(resumeSessionId);
    if (session === "attached")
      throw new ResponseError(
        ErrorCode.sessionAttached,
        `session ${resumeSessionId} is attached to another connection`,
      );
    if (session !== "unknown") return session;
    const message = `unknown session id ${resumeSessionId}`;
    if (!extensions.has("instance")) throw invalidRequest(message);
    const data = { kind: "unknownSession", instanceId: sessions.instanceId };
    throw new ResponseError(ErrorCode.invalidRequest, message, { data });
  }

  #speak(session: Session, extensions: GrantedExtensions): Spoken {
    const { environment } = this.#context;
    return {
      session,
      extensions,
      processes: new CurrentProcesses(session, environment, extensions),
      files: new CurrentFiles(environment.fileSystem, session, extensions),
      blocks: new CurrentBlocks(session, extensions),
    };
  }

  /** A route that is open once the handshake is done. */
  #on<Definition extends RequestDefinition>(
    definition: Definition,
    answer: RouteAnswer<Definition>,
  ): void {
    const handler = async (params: ParamsOf<Definition>, call: Call) => {
      this.#handshake.require(gateName(definition.method));
      const spoken = this.#spoken;
      if (spoken === undefined) throw invalidRequest("the connection is closing");
      try {
        return await answer(spoken, params, call);
      } catch (error) {
        throw toWireError(error, spoken.extensions.has("errorKinds"));
      }
    };
    this.#router.on(definition, handler as Handler<Definition>);
  }
}

/** The original's word for the group of methods that a client tried too early. */
function gateName(method: string): string {
  if (method.startsWith("fs/")) return "filesystem";
  if (method.startsWith("environment/")) return method.replace("/", " ");
  return "exec";
}

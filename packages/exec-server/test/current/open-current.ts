import {
  createMemoryEnvironment,
  type MemoryEnvironmentOptions,
  type MemoryProgram,
  type ScriptedProcess,
} from "@codex/environment/testing";
import { defaultServerLimits, type ServerLimits, SessionRegistry } from "@codex/exec-server";
import type { IncomingMessage } from "@codex/jsonrpc";
import { extensionNames } from "@codex/protocol";
import { onTestFinished } from "vitest";
import { type BareClient, connectBare } from "../server/bare-client.ts";
import { createFakeClock } from "../server/fake-clock.ts";

const idle: MemoryProgram = () => {};

interface Options extends MemoryEnvironmentOptions {
  readonly limits?: Partial<ServerLimits>;
  readonly graceMs?: number;
}

/** A server of a memory environment whose clock stands still and whose sessions can be gone on with. */
export function openServer({ limits: given, graceMs = 80_000, ...memory }: Options = {}) {
  const environment = createMemoryEnvironment({ programs: { idle }, ...memory });
  const clock = createFakeClock();
  const limits = { ...defaultServerLimits, ...given };
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const sessions = new SessionRegistry({ environment, limits, clock, graceMs, newId });
  const connect = (): BareClient => {
    const client = connectBare({ environment, limits, clock, sessions });
    onTestFinished(() => client[Symbol.asyncDispose]());
    return client;
  };
  onTestFinished(() => sessions[Symbol.asyncDispose]());
  const script = (index = 0): ScriptedProcess => {
    const started = environment.starts[index];
    if (started === undefined) throw new Error(`process ${index} was not started`);
    return started.process;
  };
  return { environment, clock, sessions, connect, script };
}

/** Such a server with one initialized client; by default the client wants no extensions, as the original's. */
export async function openCurrent(
  options: Options & { readonly extensions?: readonly string[] | "all" } = {},
) {
  const { extensions, ...rest } = options;
  const server = openServer(rest);
  const client = server.connect();
  const wanted = extensions === "all" ? extensionNames : extensions;
  await hello(client, { resumeSessionId: null, ...(wanted && { extensions: wanted }) });
  return { ...server, client };
}

/** `initialize`, its answer, `initialized`. */
export async function hello(client: BareClient, params: object): Promise<IncomingMessage> {
  const answer = await client.call("initialize", { clientName: "bare", ...params });
  await client.send({ method: "initialized", params: {} });
  return answer;
}

/** Params of `process/start` as the original's client sends them. */
export function startCurrent(processId: string, argv: readonly string[], extra: object = {}) {
  return {
    processId,
    argv,
    cwd: "file:///work",
    env: {},
    tty: false,
    pipeStdin: false,
    arg0: null,
    sandbox: null,
    enforceManagedNetwork: false,
    managedNetwork: null,
    ...extra,
  };
}

/** What a notification of a process says, without its id. */
export function eventsOf(client: BareClient): unknown[] {
  return client.notifications.map(({ method, params }) => {
    const { processId: _, ...rest } = params as Record<string, unknown>;
    return { [method.replace("process/", "")]: rest };
  });
}

export const refused = (message: string, code: number = -32_600) => ({ error: { code, message } });

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { IncomingMessage } from "@codex/jsonrpc";
import { parseFileUri } from "@codex/protocol";
import { within } from "@codex/test-support";
import { expect, test } from "vitest";
import type { BareClient } from "../server/bare-client.ts";
import { openServer } from "./open-current.ts";

const folder = fileURLToPath(
  new URL("../../../../../shared/spec/exec-server-captures/", import.meta.url),
);
const hasCaptures = existsSync(folder);

/** Optional parts of the original that this server does not have and does not announce. */
const absentMethods = new Set(["fs/watchMissing", "environmentConfig/read"]);

interface Line {
  readonly conn: number;
  readonly dir: "open" | "client" | "server" | "close";
  readonly by?: string;
  readonly msg?: {
    readonly id?: number;
    readonly method?: string;
    readonly params?: {
      readonly path?: string;
      readonly processId?: string;
      readonly resumeSessionId?: string | null;
      readonly seq?: number;
      readonly stream?: "stdout" | "stderr" | "pty";
      readonly chunk?: string;
      readonly exitCode?: number;
    };
    readonly result?: Record<string, unknown>;
    readonly error?: Record<string, unknown>;
  };
}
/** What makes a path another one than it was. */
const changes = new Set(["fs/writeFile", "fs/createDirectory", "fs/remove"]);

type Message = NonNullable<Line["msg"]>;

test.skipIf(!hasCaptures).each([
  ["plain", 26, 6],
  ["reconnect", 20, 8],
  ["skills-and-move", 64, 0],
  ["workspace-write", 35, 7],
])(
  "what the original's CLI sent is answered as the original answered: %s.jsonl",
  async (name, answers, events) => {
    const text = readFileSync(`${folder}${name}.jsonl`, "utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    const compared = await replay(lines);
    expect(compared).toEqual({ answers, events });
  },
);

if (!hasCaptures) console.log("skipped: the captures of the original are not here");

/** Sends what the client sent, in its order with what came back, and compares that. */
async function replay(lines: readonly Line[]) {
  const server = openServer({ files: filesBefore(lines), programs: { "/bin/bash": () => {} } });
  const methods = new Map<string, string>();
  const answers = new Map<string, Promise<IncomingMessage>>();
  const started: string[] = [];
  const terminated = new Set<string>();
  const raced = new Set<string>();
  const compared = { answers: 0, events: 0 };
  let client = server.connect();
  let sessionId: unknown;

  for (const { conn, dir, by, msg } of lines) {
    if (dir === "open" && conn > 1) client = server.connect();
    if (dir === "close" && by === "client") await client[Symbol.asyncDispose]();
    if (msg === undefined) continue;
    if (dir === "client") await sendAsClient(conn, msg);
    else if (msg.id === undefined) await compareEvent(client, msg);
    else await compareAnswer(conn, msg);
  }
  return compared;

  async function sendAsClient(conn: number, { id, method = "", params: sent }: Message) {
    if (id === undefined) return client.send({ method, params: sent });
    const key = `${conn}/${id}`;
    methods.set(key, method);
    answers.set(key, within(client.answerTo(id), `the answer to ${method} ${id}`));
    if (method === "process/start") started.push(sent?.processId ?? "");
    const { processId = "" } = sent ?? {};
    // Whether a second one still finds the process is a race there and here.
    if (method === "process/terminate" && terminated.has(processId)) raced.add(key);
    if (method === "process/terminate") terminated.add(processId);
    const resumes = typeof sent?.resumeSessionId === "string";
    const params = resumes ? { ...sent, resumeSessionId: sessionId } : sent;
    return client.send({ id, method, params });
  }

  async function compareAnswer(conn: number, { id, result, error }: Message) {
    const key = `${conn}/${id}`;
    const method = methods.get(key) ?? "";
    const answer = (await answers.get(key)) as { result?: Record<string, unknown> };
    if (absentMethods.has(method)) {
      const message = `exec-server stub does not implement \`${method}\` yet`;
      expect(answer).toEqual({ id, error: { code: -32_601, message } });
      return;
    }
    if (method === "initialize") sessionId = answer.result?.["sessionId"];
    if (raced.has(key)) return;
    const expected = result === undefined ? { id, error } : { id, result: general(result) };
    const seen = answer.result === undefined ? answer : { id, result: general(answer.result) };
    expect(seen, `${method} ${id}`).toEqual(expected);
    compared.answers += 1;
  }

  async function compareEvent(by: BareClient, { method = "", params: told }: Message) {
    const { processId = "", seq, stream, chunk = "", exitCode } = told ?? {};
    const index = started.indexOf(processId);
    if (index < 0) return; // a part that is not there
    if (method === "process/output")
      server.script(index).print(Buffer.from(chunk, "base64"), stream);
    if (method === "process/exited" && !terminated.has(processId))
      server.script(index).finish({ code: exitCode ?? 0 });
    const seen = await by.notification(`${method} ${seq}`, (one) => {
      const { params: theirs } = one as { params: { processId?: string; seq?: number } };
      return one.method === method && theirs.processId === processId && theirs.seq === seq;
    });
    // Killed on a terminal is 1 there, and the truth here.
    const isKilled = method === "process/exited" && terminated.has(processId);
    expect(seen).toEqual({ method, params: isKilled ? { ...told, exitCode: 137 } : told });
    compared.events += 1;
  }
}

/** Without what depends on the machine and the moment. */
function general(result: Record<string, unknown>): Record<string, unknown> {
  const { sessionId, environmentInfo, createdAtMs, modifiedAtMs, sandboxType, ...rest } = result;
  const names = { sessionId, environmentInfo, createdAtMs, modifiedAtMs, sandboxType };
  const isThere = Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name, typeof value]),
  );
  // The size of a directory is its file system's affair.
  const size = rest["isDirectory"] === true ? { size: 0 } : {};
  return { ...rest, ...size, ...isThere };
}

/** The files that the answers tell of, as they were before the client changed any. */
function filesBefore(lines: readonly Line[]): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {};
  const known = new Set<string>();
  const asked = new Map<string, Message>();
  for (const { conn, dir, msg } of lines) {
    if (msg?.id === undefined) continue;
    if (dir === "client") asked.set(`${conn}/${msg.id}`, msg);
    else note(asked.get(`${conn}/${msg.id}`), msg);
  }
  return files;

  function note(request: Message | undefined, { result, error }: Message): void {
    const path = parseFileUri(request?.params?.path ?? "");
    if (path === undefined || request?.method === undefined) return;
    if (request.method === "fs/getMetadata" && result?.["isDirectory"] === true)
      return remember(`${path}/`, "");
    if (request.method === "fs/readFile" && result !== undefined)
      return remember(path, Buffer.from(String(result["dataBase64"]), "base64"));
    if (error !== undefined || changes.has(request.method)) known.add(path);
  }

  function remember(path: string, content: string | Uint8Array): void {
    const plain = path.replace(/\/$/, "");
    if (!known.has(plain)) files[path] = content;
    known.add(plain);
  }
}

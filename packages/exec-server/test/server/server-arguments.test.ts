import { createHash } from "node:crypto";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import {
  defaultServerLimits,
  ExecServerTransportParseError,
  parseListenUrl,
} from "@codex/exec-server";
import { parseServerArguments, ServerUsageError } from "../../src/server/server-arguments.ts";

describe("seed N2: listen URLs", () => {
  test.each([
    ["stdio://", { kind: "stdio" }],
    ["stdio", { kind: "stdio" }],
    ["ws://127.0.0.1:1234", { kind: "websocket", host: "127.0.0.1", port: 1234 }],
    ["ws://0.0.0.0:0", { kind: "websocket", host: "0.0.0.0", port: 0 }],
    ["ws://[::1]:65535", { kind: "websocket", host: "::1", port: 65535 }],
  ])("%s", (url, transport) => {
    expect(parseListenUrl(url)).toEqual(transport);
  });

  test.each([
    ["ws://localhost:1234"],
    ["ws://127.0.0.1"],
    ["ws://127.0.0.1:65536"],
    ["ws://127.0.0.1:1234/"],
    ["ws://::1:1"],
    ["ws://[127.0.0.1]:1"],
    ["ws://:1"],
    ["ws://"],
  ])("%s is no websocket address", (url) => {
    expect(() => parseListenUrl(url)).toThrow(
      `invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``,
    );
  });

  test.each([["http://127.0.0.1:1234"], ["wss://127.0.0.1:1"], ["WS://127.0.0.1:1"], [""], ["x"]])(
    "%j names no transport",
    (url) => {
      expect(() => parseListenUrl(url)).toThrow(
        `unsupported --listen URL \`${url}\`; expected \`stdio://\` or \`ws://IP:PORT\``,
      );
      expect(() => parseListenUrl(url)).toThrow(ExecServerTransportParseError);
    },
  );
});

test("without arguments: standard streams, no token, the defaults", () => {
  expect(parseServerArguments([], {})).toMatchObject({
    transport: { kind: "stdio" },
    token: undefined,
    limits: defaultServerLimits,
    sessionGraceMs: 80_000,
  });
});

test("every limit has its flag", () => {
  const flags = [
    "max-message-bytes",
    "max-pending-requests",
    "max-processes",
    "max-connections",
    "max-open-files",
    "retained-bytes",
    "retained-chunks",
    "shutdown-grace-ms",
    "max-detached-sessions",
  ];
  const argv = flags.flatMap((flag, index) => [`--${flag}`, `${index + 1}`]);
  expect(parseServerArguments(argv, {})?.limits).toEqual({
    maxMessageBytes: 1,
    maxPendingRequests: 2,
    maxProcesses: 3,
    maxConnections: 4,
    maxOpenFiles: 5,
    retainedBytes: 6,
    retainedChunks: 7,
    shutdownGraceMs: 8,
    maxDetachedSessions: 9,
  });
});

test("the grace of sessions is given in seconds, 0 is none", () => {
  const graceOf = (seconds: string) =>
    parseServerArguments(["--session-grace-sec", seconds], {})?.sessionGraceMs;
  expect([graceOf("0"), graceOf("7"), graceOf("86400")]).toEqual([0, 7_000, 86_400_000]);
  for (const wrong of ["=1", "1.5", "x", "86401"]) expect(() => graceOf(wrong)).toThrow(/86400/);
});

test("a token comes from a file, a digest, or the environment", async () => {
  await using directory = await temporaryDirectory({ token: "secret\n", empty: "\n" });
  const auth = ["--ws-auth", "capability-token"];
  const digest = createHash("sha256").update("secret").digest("hex");
  const variables = { CODEX_EXEC_SERVER_CONNECTION_TOKEN: "secret" };
  const accepted = [
    parseServerArguments([...auth, "--ws-token-file", `${directory.path}/token`], {}),
    parseServerArguments([...auth, "--ws-token-sha256", digest], {}),
    parseServerArguments(auth, variables),
    parseServerArguments([], variables),
  ].map((parsed) => parsed?.token?.matches("secret"));
  expect(accepted).toEqual([true, true, true, true]);
  const empty = ["--ws-token-file", `${directory.path}/empty`];
  expect(() => parseServerArguments([...auth, ...empty], {})).toThrow("is empty");
});

test.each([
  [["--unknown"]],
  [["positional"]],
  [["--listen"]],
  [["--ws-auth", "other"]],
  [["--ws-auth", "capability-token"]],
  [["--ws-token-file", "x"]],
  [["--ws-token-sha256", "0".repeat(64)]],
  [["--ws-auth", "capability-token", "--ws-token-file", "/nonexistent"]],
  [["--ws-auth", "capability-token", "--ws-token-sha256", "short"]],
  [["--ws-auth", "capability-token", "--ws-token-sha256", "0".repeat(64), "--ws-token-file", "x"]],
  [["--max-processes", "0"]],
  [["--max-processes", "many"]],
  [["--retained-bytes", "-1"]],
])("%j is refused with a word about it", (argv) => {
  expect(() => parseServerArguments(argv, {})).toThrow(ServerUsageError);
});

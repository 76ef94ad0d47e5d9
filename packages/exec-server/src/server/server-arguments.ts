import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SandboxIntent } from "@codex/protocol";
import { CapabilityToken } from "./capability-token.ts";
import {
  defaultListenUrl,
  type ExecServerTransport,
  parseListenUrl,
} from "./exec-server-transport.ts";
import { defaultServerLimits, defaultSessionGraceMs, type ServerLimits } from "./limits.ts";

/** Holds the secret where neither flag names one; also read by clients. */
export const tokenVariable = "CODEX_EXEC_SERVER_CONNECTION_TOKEN";

export interface ServerArguments {
  readonly transport: ExecServerTransport;
  readonly token: CapabilityToken | undefined;
  readonly limits: ServerLimits;
  /** How long a session outlives its websocket. */
  readonly sessionGraceMs: number;
  /** Upper bound of every start and every changing file call, whatever clients ask for. */
  readonly sandboxBound?: SandboxIntent;
}

/** A command line that makes no sense; the message is for the person who typed it. */
export class ServerUsageError extends Error {
  override readonly name = "ServerUsageError";
}

const limitFlags: Readonly<Record<string, keyof ServerLimits>> = {
  "max-message-bytes": "maxMessageBytes",
  "max-pending-requests": "maxPendingRequests",
  "max-processes": "maxProcesses",
  "max-connections": "maxConnections",
  "max-open-files": "maxOpenFiles",
  "retained-bytes": "retainedBytes",
  "retained-chunks": "retainedChunks",
  "max-detached-sessions": "maxDetachedSessions",
  "shutdown-grace-ms": "shutdownGraceMs",
};

/** A day: what is left behind must end some time. */
const longestGraceSec = 86_400;

export const serverUsage = `Usage: codex-exec-server [--listen URL] [options]

Serves the processes and files of this machine over one protocol.

  --listen URL              stdio:// (default) or ws://IP:PORT; port 0 takes any free one
  --ws-auth capability-token  ask websocket clients for a bearer token; required off loopback
  --ws-token-file PATH      file that holds the token
  --ws-token-sha256 HEX     SHA-256 of the token
                            without either: ${tokenVariable}
  --sandbox-intent JSON     upper bound of what processes and file changes may do;
                            {"mode":"read-only","networkAccess":false}, for one
  --session-grace-sec N     how long processes outlive a lost websocket, for its client to
                            come back; 0 ends them at once; default ${defaultSessionGraceMs / 1_000}
${Object.entries(limitFlags)
  .map(([flag, key]) => `  --${`${flag} N`.padEnd(24)}default ${defaultServerLimits[key]}`)
  .join("\n")}
  --help
`;

/**
 * Reads the command line. Undefined for `--help`. Throws a {@link ServerUsageError}, or what `parseListenUrl` throws.
 * A token in the environment is asked for even without `--ws-auth`: whoever sets it wants it.
 */
export function parseServerArguments(
  argv: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): ServerArguments | undefined {
  const values = parseFlags(argv);
  if (values["help"] === true) return undefined;
  return {
    transport: parseListenUrl(text(values["listen"]) ?? defaultListenUrl),
    token: findToken(values, variables[tokenVariable]),
    limits: parseLimits(values),
    sessionGraceMs: parseSessionGrace(text(values["session-grace-sec"])),
    ...parseBound(text(values["sandbox-intent"])),
  };
}

type Flags = Readonly<Record<string, string | boolean | undefined>>;

function parseFlags(argv: readonly string[]): Flags {
  const string = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: "boolean", short: "h" },
        listen: string,
        "ws-auth": string,
        "ws-token-file": string,
        "ws-token-sha256": string,
        "sandbox-intent": string,
        "session-grace-sec": string,
        ...Object.fromEntries(Object.keys(limitFlags).map((flag) => [flag, string])),
      },
    }).values;
  } catch (cause) {
    throw new ServerUsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function findToken(values: Flags, inherited: string | undefined): CapabilityToken | undefined {
  const auth = values["ws-auth"];
  const file = text(values["ws-token-file"]);
  const sha256 = text(values["ws-token-sha256"]);
  if (auth !== undefined && auth !== "capability-token")
    throw new ServerUsageError("--ws-auth knows only `capability-token`");
  if (auth === undefined && (file ?? sha256) !== undefined)
    throw new ServerUsageError(
      "--ws-token-file and --ws-token-sha256 need --ws-auth capability-token",
    );
  if (file !== undefined && sha256 !== undefined)
    throw new ServerUsageError("--ws-token-file and --ws-token-sha256 exclude each other");
  const token = tokenOf(file, sha256, inherited);
  if (auth !== undefined && token === undefined)
    throw new ServerUsageError(
      `--ws-auth capability-token needs --ws-token-file, --ws-token-sha256 or ${tokenVariable}`,
    );
  return token;
}

function tokenOf(
  file: string | undefined,
  sha256: string | undefined,
  inherited: string | undefined,
): CapabilityToken | undefined {
  if (sha256 !== undefined) {
    const token = CapabilityToken.fromSha256(sha256);
    if (token === undefined)
      throw new ServerUsageError("--ws-token-sha256 must be 64 hexadecimal digits");
    return token;
  }
  if (file === undefined) return CapabilityToken.fromText(inherited ?? "");
  const token = CapabilityToken.fromText(readTokenFile(file));
  if (token === undefined) throw new ServerUsageError(`--ws-token-file ${file} is empty`);
  return token;
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ServerUsageError(`cannot read --ws-token-file ${path}`, { cause });
  }
}

function parseBound(json: string | undefined): Pick<ServerArguments, "sandboxBound"> {
  if (json === undefined) return {};
  try {
    return { sandboxBound: SandboxIntent.parse(JSON.parse(json)) };
  } catch (cause) {
    throw new ServerUsageError("--sandbox-intent must be a sandbox intent as JSON", { cause });
  }
}

function parseSessionGrace(seconds: string | undefined): number {
  if (seconds === undefined) return defaultSessionGraceMs;
  if (/^\d{1,5}$/.test(seconds) && Number(seconds) <= longestGraceSec)
    return Number(seconds) * 1_000;
  throw new ServerUsageError(
    `--session-grace-sec must be a whole number up to ${longestGraceSec}, not \`${seconds}\``,
  );
}

function parseLimits(values: Flags): ServerLimits {
  const given = Object.entries(limitFlags).flatMap(([flag, key]) => {
    const value = text(values[flag]);
    if (value === undefined) return [];
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number) || (number === 0 && key !== "shutdownGraceMs"))
      throw new ServerUsageError(`--${flag} must be a whole number above 0, not \`${value}\``);
    return [[key, number] as const];
  });
  return { ...defaultServerLimits, ...Object.fromEntries(given) };
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

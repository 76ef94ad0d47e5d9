import { type ClientOwner, ExecServerClient } from "./client.ts";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import { ExecServerError } from "./exec-server-error.ts";
import { defaultHeartbeatMs } from "./heartbeat.ts";
import { ServerChild, type ServerChildOptions } from "./server-child.ts";

export interface ConnectCommandOptions extends ExecServerClientConnectOptions, ServerChildOptions {
  /** How much may be printed before the first message, as login shells do. Default 64 KiB. */
  readonly bannerBytes?: number;
  /** Gets the command's standard error as it comes; its end is kept for errors in any case. */
  readonly onStderr?: (bytes: Uint8Array) => void;
}

const defaultBannerBytes = 64 * 1024;

/**
 * Connects through any command that leads to a server's standard streams: `["ssh", "host", "codex-exec-server"]`,
 * `["docker", "exec", "-i", …]`. The client owns the command: disposing ends its input, gives it 2 s to end, then
 * kills it. It has no terminal, so it cannot ask for a password. When it does not lead to a server, the error quotes
 * what it printed.
 */
export async function connectCommand(
  argv: readonly string[],
  options: ConnectCommandOptions,
): Promise<ExecServerClient> {
  const { bannerBytes = defaultBannerBytes, onStderr = () => undefined, signal } = options;
  const label = `command ${argv[0] ?? ""}`;
  const child = await ServerChild.start({ ...options, argv, label, bannerBytes, onStderr }, signal);
  return openOver(child, options);
}

/** The handshake with a child. Rejects with the child gone and, in the error, what it said. */
export async function openOver(
  child: ServerChild,
  options: ExecServerClientConnectOptions & ServerChildOptions,
  facts: Pick<ClientOwner, "variables"> = {},
): Promise<ExecServerClient> {
  const { heartbeatMs = defaultHeartbeatMs } = options;
  const attempt = { isOpen: false, account: "" };
  const onDispose = async () => {
    if (attempt.isOpen) return child.end();
    attempt.account = await child.account();
    await child.kill();
  };
  try {
    const client = await ExecServerClient.open(child.transport, options, {
      ...facts,
      heartbeatMs,
      onDispose,
    });
    attempt.isOpen = true;
    return client;
  } catch (error) {
    if (!(error instanceof ExecServerError) || error.kind === "server") throw error;
    const { kind, message, cause } = error;
    throw new ExecServerError(kind, `${message} (${attempt.account})`, { cause });
  }
}

import { isIPv4, isIPv6 } from "node:net";

/** Where a server listens: its own standard streams, or websockets on an address (port 0: any free one). */
export type ExecServerTransport =
  | { readonly kind: "stdio" }
  | { readonly kind: "websocket"; readonly host: string; readonly port: number };

export type ExecServerTransportParseErrorKind =
  | "unsupportedListenUrl"
  | "invalidWebSocketListenUrl";

/** A listen URL that names no transport. */
export class ExecServerTransportParseError extends Error {
  override readonly name = "ExecServerTransportParseError";
  readonly kind: ExecServerTransportParseErrorKind;
  readonly listenUrl: string;

  constructor(kind: ExecServerTransportParseErrorKind, listenUrl: string) {
    super(
      kind === "unsupportedListenUrl"
        ? `unsupported --listen URL \`${listenUrl}\`; expected \`stdio://\` or \`ws://IP:PORT\``
        : `invalid websocket --listen URL \`${listenUrl}\`; expected \`ws://IP:PORT\``,
    );
    this.kind = kind;
    this.listenUrl = listenUrl;
  }
}

export const defaultListenUrl = "stdio://";

/** `stdio://`, `stdio`, or `ws://IP:PORT` with an IPv4 or bracketed IPv6 address. Throws an `ExecServerTransportParseError`. */
export function parseListenUrl(listenUrl: string): ExecServerTransport {
  if (listenUrl === defaultListenUrl || listenUrl === "stdio") return { kind: "stdio" };
  if (!listenUrl.startsWith("ws://"))
    throw new ExecServerTransportParseError("unsupportedListenUrl", listenUrl);
  const [, v6, v4, digits] = /^ws:\/\/(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(listenUrl) ?? [];
  const host = v6 ?? v4 ?? "";
  const port = Number(digits);
  const isAddress = v6 === undefined ? isIPv4(host) : isIPv6(host);
  if (!isAddress || port > 65_535)
    throw new ExecServerTransportParseError("invalidWebSocketListenUrl", listenUrl);
  return { kind: "websocket", host, port };
}

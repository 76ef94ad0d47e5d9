import type * as http from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { ModelError } from "../model-client.ts";
import { decodedBody } from "./content-encoding.ts";
import { shownUrl } from "./request-url.ts";

interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** How long to wait for the headers of the answer. */
  readonly timeoutMs: number;
}

/** An answer whose headers have come. */
export interface Answer {
  readonly status: number;
  readonly statusName: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  /** The body without its transfer and content encodings. One reader; an error ends it, as does `close`. */
  readonly body: Readable;
  /**
   * Says that nothing more is wanted. An answer that was read to its meaning may `drain`: the connection is kept for
   * the next request if the answer ends within a second, and does not keep the process alive meanwhile. Idempotent.
   */
  close(how: "drain" | "cut"): void;
}

/** Sends POST requests over connections that are kept between them, and never keep the process alive by themselves. */
export interface Transport {
  /**
   * Resolves when the headers are there. Throws {@link ModelError} `connection` or `timeout`; an aborted signal ends
   * the request, the answer's body included, and rejects with its reason.
   */
  post(request: OutgoingRequest, signal: AbortSignal): Promise<Answer>;
  /** Ends all connections. */
  close(): void;
}

// Proxies and address translators forget a silent connection without telling; a new one costs less than finding out.
const idleConnectionMs = 30_000;
const drainMs = 1000;
// setTimeout takes no more.
const longestTimerMs = 2 ** 31 - 1;

/** A transport for one scheme; the module that speaks it is loaded here, on first use. */
export async function openTransport(protocol: "http:" | "https:"): Promise<Transport> {
  const module = protocol === "https:" ? await import("node:https") : await import("node:http");
  const { STATUS_CODES } = await import("node:http");
  const agent = new module.Agent({ keepAlive: true, timeout: idleConnectionMs });
  return {
    async post(request, signal) {
      const { url, headers } = request;
      const outgoing = module.request(url, { method: "POST", headers: { ...headers }, agent });
      const incoming = await answerTo(outgoing, request, signal);
      return toAnswer(outgoing, incoming, STATUS_CODES[incoming.statusCode ?? 0]);
    },
    close: () => agent.destroy(),
  };
}

function answerTo(
  outgoing: http.ClientRequest,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { url, timeoutMs } = request;
    const late = (): void => void outgoing.destroy(headersTimeout(url, timeoutMs));
    const timer = setTimeout(late, Math.min(timeoutMs, longestTimerMs));
    const abort = (): void => void outgoing.destroy();
    signal.addEventListener("abort", abort, { once: true });
    outgoing.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
    outgoing.once("response", (incoming) => {
      clearTimeout(timer);
      resolve(incoming);
    });
    // Stays for the whole life: after the headers the answer's body tells the same.
    outgoing.on("error", (error) =>
      reject(signal.aborted ? signal.reason : connectionError(error, url)),
    );
    outgoing.once("close", () =>
      reject(signal.aborted ? signal.reason : connectionError(undefined, url)),
    );
    if (signal.aborted) abort();
    else outgoing.end(request.body);
  });
}

function toAnswer(
  outgoing: http.ClientRequest,
  incoming: http.IncomingMessage,
  statusName: string | undefined,
): Answer {
  const body = decodedBody(incoming);
  let isClosed = false;
  return {
    status: incoming.statusCode ?? 0,
    statusName,
    headers: incoming.headers,
    body,
    close(how) {
      if (isClosed) return;
      isClosed = true;
      body.on("error", () => {});
      if (how === "cut") {
        body.destroy();
        outgoing.destroy();
        return;
      }
      // Null, whatever its type says, when the answer has ended and the agent has the socket back.
      (incoming.socket as Socket | null)?.unref();
      const timer = setTimeout(() => outgoing.destroy(), drainMs).unref();
      outgoing.once("close", () => clearTimeout(timer));
      body.resume();
    },
  };
}

function headersTimeout(url: URL, timeoutMs: number): ModelError {
  return new ModelError("timeout", `no answer within ${timeoutMs} ms, url: ${shownUrl(url)}`, {
    isRetryable: true,
    phase: "request",
  });
}

function connectionError(error: Error | undefined, url: URL): ModelError {
  if (error instanceof ModelError) return error;
  const reason = error === undefined ? "connection closed" : reasonOf(error);
  return new ModelError(
    "connection",
    `stream disconnected before completion: error sending request for url (${shownUrl(url)}): ${reason}`,
    { isRetryable: !isCertificateError(error), phase: "request", cause: error },
  );
}

/** Several addresses that all failed come as one error without a message of its own. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors
    .map((each: unknown) => (each instanceof Error ? each.message : String(each)))
    .join("; ");
}

/** Somebody else answers there, and will again. */
function isCertificateError(error: Error | undefined): boolean {
  const code = error !== undefined && "code" in error ? String(error.code) : "";
  return /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_)/.test(
    code,
  );
}

import { isIP } from "node:net";
import type { Admission, AdmissionRequest } from "@codex/jsonrpc";
import type { CapabilityToken } from "./capability-token.ts";

export interface AdmissionPolicy {
  /** Asked of every client when there is one. */
  readonly token: CapabilityToken | undefined;
}

/**
 * Who gets in. A browser page never does (it always says its origin); `/readyz` answers anybody else; without a token
 * the listener is on loopback, and a request for a foreign host was led here by its name service.
 */
export function admit(request: AdmissionRequest, { token }: AdmissionPolicy): Admission {
  const { path, headers } = request;
  if (headers.origin !== undefined) return answer(403, "requests with an origin are refused");
  if (path === "/readyz") return answer(200, "ok");
  if (path !== "/") return answer(404, "not found");
  if (token === undefined)
    return isLoopbackHost(headers.host) ? { kind: "upgrade" } : answer(403, "foreign host");
  const presented = bearerOf(headers.authorization);
  if (presented === undefined) return answer(401, "missing bearer token");
  return token.matches(presented) ? { kind: "upgrade" } : answer(401, "wrong bearer token");
}

/** True for addresses that only this machine can reach. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith("127.") : address === "::1";
}

function isLoopbackHost(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name !== undefined && (name.toLowerCase() === "localhost" || isLoopbackAddress(name));
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function answer(status: number, text: string): Admission {
  return { kind: "answer", status, text };
}

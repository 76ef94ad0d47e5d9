import type { FileSystemErrorKind, ProcessErrorKind } from "@codex/environment";
import type { ExecServerError } from "../../client/exec-server-error.ts";

const fileKinds: readonly FileSystemErrorKind[] = [
  "notFound",
  "permissionDenied",
  "alreadyExists",
  "notDirectory",
  "isDirectory",
  "notEmpty",
  "readOnly",
  "invalidInput",
  "tooLarge",
  "sandboxDenied",
  "unsupported",
  "other",
];

const processKinds: readonly ProcessErrorKind[] = [
  "notFound",
  "permissionDenied",
  "badCwd",
  "invalidArgument",
  "stdinClosed",
  "unsupported",
  "terminalUnavailable",
  "sandboxUnavailable",
  "limit",
  "other",
];

/** The kind a server says beside its text; undefined from a server that has none to say. */
export function toldFileKind(error: ExecServerError): FileSystemErrorKind | undefined {
  const kind = kindIn(error.data);
  return fileKinds.find((known) => known === kind);
}

export function toldProcessKind(error: ExecServerError): ProcessErrorKind | undefined {
  const kind = kindIn(error.data);
  return processKinds.find((known) => known === kind);
}

/** The server's own words, without what the client puts before them. */
export function serverText(error: ExecServerError): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function kindIn(data: unknown): unknown {
  return typeof data === "object" && data !== null && "kind" in data ? data.kind : undefined;
}

import { type CurrentResult, decodeBase64 } from "@codex/protocol";
import type { ExecServerEvent } from "../../client/exec-server-event.ts";
import type { ProcessRoute } from "../../client/process-routes.ts";

type Page = CurrentResult<"processRead">;

/**
 * Hands on what a whole `process/read` after the last event that came has brought, in order, and says what is gone for
 * good. Events that arrive meanwhile find their place by their number.
 */
export function applyPage(
  route: ProcessRoute,
  page: Page,
  deliver: (events: readonly ExecServerEvent[]) => void,
): void {
  const { order, process, processId } = route;
  for (const { seq, stream, chunk } of page.chunks) {
    if (seq < order.next) continue;
    const gap = gapBefore(seq, route, page);
    deliver(order.skipTo(seq));
    if (gap !== undefined) process.markGap(gap);
    const bytes = decodeBase64(chunk) ?? new Uint8Array(0);
    deliver(order.take(seq, { type: "output", processId, seq, stream, bytes }));
  }
  if (page.exited && !process.hasExited) deliver([exitOf(processId, page)]);
  deliver(order.skipTo(page.nextSeq));
  if (page.closed && !process.isClosed) deliver([{ type: "closed", processId, seq: undefined }]);
}

/** A server that does not count leaves a hole in the numbers; one number may be the exit's. */
function gapBefore(seq: number, { order, process }: ProcessRoute, page: Page) {
  if (seq === order.next) return undefined;
  if (page.droppedBytes !== undefined) {
    const bytes = page.droppedBytes - process.knownBytes;
    return bytes > 0 ? { bytes } : undefined;
  }
  const missing = seq - order.next - (page.exited && !process.hasExited ? 1 : 0);
  return missing > 0 ? { bytes: undefined } : undefined;
}

function exitOf(
  processId: string,
  { exitCode, signal, sandboxDenied }: Page,
): ExecServerEvent & { type: "exited" } {
  return {
    type: "exited",
    processId,
    exitCode: exitCode ?? -1,
    signal: signal ?? undefined,
    sandboxDenied: sandboxDenied === true ? true : undefined,
    seq: undefined,
  };
}

import type { RequestId } from "@codex/protocol";
import { type ConnectionClosedError, RequestTimeoutError } from "./errors.ts";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that wait for their answer. Each leaves by exactly one way: answer, refusal, signal, time, or the end. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, Pending>();
  #lastId = 0;
  #closedBy: ConnectionClosedError | undefined;

  get size(): number {
    return this.#pending.size;
  }

  /** Takes the next id. Throws when closed or already aborted. */
  add(
    method: string,
    options: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): { readonly id: number; readonly answer: Promise<unknown> } {
    const { signal, timeoutMs } = options;
    signal?.throwIfAborted();
    if (this.#closedBy !== undefined) throw this.#closedBy;
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      const onAbort = () => this.reject(id, signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(
              () => this.reject(id, new RequestTimeoutError(method, timeoutMs)),
              timeoutMs,
            );
      const free = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      this.#pending.set(id, {
        resolve: (result) => (free(), resolve(result)),
        reject: (error) => (free(), reject(error)),
      });
    });
    return { id, answer };
  }

  /** False when the id waits for nothing. */
  resolve(id: RequestId, result: unknown): boolean {
    return this.#leave(id, (pending) => pending.resolve(result));
  }

  /** False when the id waits for nothing. */
  reject(id: RequestId, error: unknown): boolean {
    return this.#leave(id, (pending) => pending.reject(error));
  }

  /** Rejects all that wait and all that come. */
  close(error: ConnectionClosedError): void {
    this.#closedBy ??= error;
    for (const id of this.#pending.keys()) this.reject(id, this.#closedBy);
  }

  #leave(id: RequestId, settle: (pending: Pending) => void): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    settle(pending);
    return true;
  }
}

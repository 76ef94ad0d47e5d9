import type { Environment } from "@codex/environment";
import type { Clock } from "./clock.ts";
import type { ServerLimits } from "./limits.ts";
import { Session } from "./session.ts";

export interface SessionRegistryOptions {
  readonly environment: Environment;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  /** How long a session outlives its connection; 0 ends it at once. */
  readonly graceMs: number;
  /** Gives an id that nobody can guess: whoever knows a session's can go on with it. */
  readonly newId?: () => string;
}

interface Entry {
  readonly session: Session;
  /** Undefined while a connection holds it. */
  stopGrace: (() => void) | undefined;
}

/** The sessions of a server, with a connection or, for a while, without. Disposing ends them all. */
export class SessionRegistry implements AsyncDisposable {
  /** Another one for every registry: a client sees by it that a server was started anew. */
  readonly instanceId: string;
  readonly graceMs: number;
  readonly #options: SessionRegistryOptions;
  readonly #newId: () => string;
  /** Those without a connection stand in the order in which they lost it. */
  readonly #entries = new Map<string, Entry>();
  readonly #ending = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    this.#newId = options.newId ?? (() => crypto.randomUUID());
    this.instanceId = this.#newId();
    this.graceMs = options.graceMs;
  }

  /** A new session, held by the caller until it is released. */
  open(): Session {
    const { environment, limits, clock } = this.#options;
    const id = this.#newId();
    const session = new Session({ id, limits, clock, fileSystem: environment.fileSystem });
    this.#entries.set(id, { session, stopGrace: undefined });
    return session;
  }

  /** A session that nobody holds; from here on the caller does. */
  resume(id: string): Session | "unknown" | "attached" {
    const entry = this.#entries.get(id);
    if (entry === undefined) return "unknown";
    if (entry.stopGrace === undefined) return "attached";
    entry.stopGrace();
    entry.stopGrace = undefined;
    return entry.session;
  }

  /** The holder's connection is gone. Settles at once, or when the session has ended if it does. */
  async release(session: Session): Promise<void> {
    const entry = this.#entries.get(session.id);
    if (entry === undefined || this.graceMs === 0 || this.#isClosing) return this.end(session);
    session.output.detach();
    entry.stopGrace = this.#options.clock.after(this.graceMs, () => void this.end(session));
    this.#entries.delete(session.id);
    this.#entries.set(session.id, entry);
    this.#endTooMany();
  }

  /** Ends its processes and forgets it. Settles when that is done. */
  async end(session: Session): Promise<void> {
    this.#entries.get(session.id)?.stopGrace?.();
    this.#entries.delete(session.id);
    const ended = session[Symbol.asyncDispose]().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    for (const { session } of this.#entries.values()) void this.end(session);
    await Promise.all(this.#ending);
  }

  #endTooMany(): void {
    const detached = [...this.#entries.values()].filter(({ stopGrace }) => stopGrace !== undefined);
    const tooMany = detached.length - this.#options.limits.maxDetachedSessions;
    for (const { session } of detached.slice(0, Math.max(tooMany, 0))) void this.end(session);
  }
}

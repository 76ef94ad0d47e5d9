import { UnifiedExecError } from "./unified-exec-error.ts";

/** What the store looks at. */
export interface StoredSession {
  readonly id: number;
  readonly exit: unknown;
  readonly lastUsedMs: number;
  readonly isInBackground: boolean;
}

/** `random`: 1,000 to 99,999. `counting`: one more than the highest in use, from 1,000. */
export type SessionIds =
  | { readonly kind: "random"; readonly random: () => number }
  | { readonly kind: "counting" };

/** The most commands that stay in the background. */
const maxBackgroundSessions = 64;
const recentlyUsedSessions = 8;

/** Which commands the model can name. An id is taken before its command starts and free again when its exit has been told. */
export class SessionStore<Session extends StoredSession> {
  readonly #ids: SessionIds;
  readonly #reserved = new Set<number>();
  readonly #sessions = new Map<number, Session>();

  constructor(ids: SessionIds) {
    this.#ids = ids;
  }

  reserveId(): number {
    const id = freeId(this.#ids, this.#reserved);
    this.#reserved.add(id);
    return id;
  }

  /** Forgets the command, if there is one, and frees its id. */
  release(id: number): void {
    this.#sessions.delete(id);
    this.#reserved.delete(id);
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  /** Throws `unknownProcess` with the text for the model. */
  get(id: number): Session {
    const session = this.#sessions.get(id);
    if (session === undefined)
      throw new UnifiedExecError("unknownProcess", `Unknown process id ${id}`);
    return session;
  }

  has(id: number): boolean {
    return this.#sessions.has(id);
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Commands whose first call is over. */
  inBackground(): Session[] {
    return this.all().filter((session) => session.isInBackground);
  }
}

/**
 * Which of these has to go for one more to stay, once there are 64: of all but the eight used last, the one that has
 * ended and was used longest ago, else the one used longest ago.
 */
export function chooseForPruning<Session extends StoredSession>(
  sessions: readonly Session[],
  max: number = maxBackgroundSessions,
): Session | undefined {
  if (sessions.length < max) return undefined;
  const oldestFirst = sessions.toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
  const unprotected = oldestFirst.slice(0, Math.max(0, oldestFirst.length - recentlyUsedSessions));
  return unprotected.find((session) => session.exit !== undefined) ?? unprotected[0];
}

function freeId(ids: SessionIds, reserved: ReadonlySet<number>): number {
  if (ids.kind === "counting") return Math.max(999, ...reserved) + 1;
  for (;;) {
    const id = 1_000 + Math.floor(ids.random() * 99_000);
    if (!reserved.has(id)) return id;
  }
}

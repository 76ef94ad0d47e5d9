/** Time between two looks. A server that is silent for three of them is lost. */
export const defaultHeartbeatMs = 10_000;

const maxSilentLooks = 3;

export interface Heart {
  /** Somebody waits for the server, and we would hear it. */
  isListening(): boolean;
  /** Asks the server something it answers at once, whatever it is busy with. */
  ask(): void;
  giveUp(error: Error): void;
}

/**
 * Finds out that a server is gone over a connection that does not tell: a frozen child, a link that swallows. While
 * somebody waits and nothing is heard, the server is asked for a sign of life. Does not keep the event loop alive.
 */
export class Heartbeat {
  readonly #heart: Heart;
  readonly #intervalMs: number;
  readonly #timer: NodeJS.Timeout;
  #silentLooks = 0;

  constructor(intervalMs: number, heart: Heart) {
    this.#heart = heart;
    this.#intervalMs = intervalMs;
    this.#timer = setInterval(() => this.#look(), intervalMs);
    this.#timer.unref();
  }

  heard(): void {
    this.#silentLooks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (!this.#heart.isListening()) return this.heard();
    if (this.#silentLooks >= maxSilentLooks) return this.#giveUp();
    this.#silentLooks += 1;
    this.#heart.ask();
  }

  #giveUp(): void {
    this.stop();
    const seconds = (this.#silentLooks * this.#intervalMs) / 1_000;
    this.#heart.giveUp(new Error(`nothing was heard from the server for ${seconds} s`));
  }
}

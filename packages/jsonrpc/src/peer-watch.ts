import { TransportError } from "./errors.ts";

export interface PeerWatchOptions {
  /**
   * Time between pings; default 5,000. A peer from which nothing was heard for two intervals is given up at the next
   * ping: a dead one is found within three intervals, 15 s.
   */
  readonly pingIntervalMs?: number;
  /**
   * The bound while the peer owes us reading: it cannot answer a ping that waits behind what it has not read, and a
   * slow reader is not a dead one. Default 300,000; never less than three intervals.
   */
  readonly stalledPeerMs?: number;
}

interface Watched {
  ping(): void;
  /** True while we do not read ourselves, and so cannot hear. */
  isPaused(): boolean;
  /** Bytes that the peer has not taken yet. */
  owedBytes(): number;
  giveUp(error: TransportError): void;
}

/** Finds out that the other end of a connection is gone although nothing closed it. */
export class PeerWatch {
  readonly #watched: Watched;
  readonly #intervalMs: number;
  readonly #stalledMs: number;
  readonly #timer: NodeJS.Timeout;
  #silentTicks = 0;
  #stalledTicks = 0;

  constructor(options: PeerWatchOptions, watched: Watched) {
    this.#watched = watched;
    this.#intervalMs = options.pingIntervalMs ?? 5_000;
    this.#stalledMs = options.stalledPeerMs ?? 300_000;
    this.#timer = setInterval(() => this.#tick(), this.#intervalMs);
    this.#timer.unref();
  }

  /** Something arrived. */
  heard(): void {
    this.#silentTicks = 0;
    this.#stalledTicks = 0;
  }

  /** The peer took something. */
  progressed(): void {
    this.#stalledTicks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#watched.isPaused()) return this.heard();
    if (this.#watched.owedBytes() > 0) return this.#tickStalled();
    if (this.#silentTicks >= 2) return this.#giveUp(this.#silentTicks);
    this.#silentTicks += 1;
    this.#watched.ping();
  }

  #tickStalled(): void {
    this.#silentTicks = 0;
    this.#stalledTicks += 1;
    if (this.#stalledTicks * this.#intervalMs >= this.#stalledMs && this.#stalledTicks >= 3)
      this.#giveUp(this.#stalledTicks);
  }

  #giveUp(ticks: number): void {
    this.stop();
    const seconds = (ticks * this.#intervalMs) / 1000;
    this.#watched.giveUp(
      new TransportError("silent", `nothing was heard from the peer for ${seconds} s`),
    );
  }
}

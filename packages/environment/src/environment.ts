import type { AbsolutePath } from "@codex/protocol";
import type { SpawnedProcess, SpawnOptions } from "@codex/pty";
import type { FileSystem } from "./file-system.ts";

/** Facts about a machine, told by the machine itself. */
export interface EnvironmentInfo {
  /** The directory work starts in. */
  readonly cwd: AbsolutePath;
  readonly home: AbsolutePath;
  readonly tempDirectory: AbsolutePath;
  readonly platform: string;
  /** The user's shell there, such as `{ name: "bash", path: "/bin/bash" }`. */
  readonly shell: { readonly name: string; readonly path: AbsolutePath };
}

/**
 * The link to a far machine changed; said by environments that have a link. After `lost` comes `resumed`,
 * with every process still there, or `gaveUp`, after which every call rejects; a link that cannot be resumed at all
 * is given up at once.
 */
export interface ConnectionChange {
  readonly state: "lost" | "resumed" | "gaveUp";
  readonly reason: string;
}

/**
 * Where work happens: one machine's processes and files behind one handle. The only thing tools receive; nothing
 * above asks where it is. Whoever made it disposes it; disposing ends every process started through it.
 */
export interface Environment extends AsyncDisposable {
  /** `local`, or the name a person gave it; used in every error and event. */
  readonly name: string;
  readonly fileSystem: FileSystem;
  /** Asked once and remembered; rejects when the machine cannot be reached. */
  info(signal?: AbortSignal): Promise<EnvironmentInfo>;
  /**
   * Starts a process. Rejects with a {@link ProcessError}; a start that rejects with any kind but `lost` and `outcomeUnknown` ran nothing.
   * Aborting before it has started rejects with the signal's reason and leaves nothing behind; afterwards the signal
   * has no effect on the process.
   */
  start(options: SpawnOptions, signal?: AbortSignal): Promise<SpawnedProcess>;
  /** Tells about the link, if there is one to lose. Returns a function that stops telling. */
  onConnectionChange?(listener: (change: ConnectionChange) => void): () => void;
}

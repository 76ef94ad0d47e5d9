import { lstatSync, rmdirSync } from "node:fs";

/**
 * Bubblewrap makes a mount point for every missing path it covers and leaves it behind. This keeps count of who
 * needs which, and removes a mount point after its last user: only if it was not there before and is empty.
 */
export class Leftovers {
  readonly #users = new Map<string, number>();

  /** Call before the command starts with the paths that are missing; call the returned function after it has ended. */
  hold(missingPaths: readonly string[]): () => void {
    const held = missingPaths.filter((path) => this.#users.has(path) || isMissing(path));
    for (const path of held) this.#users.set(path, (this.#users.get(path) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const path of held) this.#release(path);
    };
  }

  #release(path: string): void {
    const users = (this.#users.get(path) ?? 1) - 1;
    if (users > 0) {
      this.#users.set(path, users);
      return;
    }
    this.#users.delete(path);
    removeEmptyDirectory(path);
  }
}

function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody put something there, or took it away: not ours any more.
  }
}

import { lstatSync, rmdirSync } from "node:fs";

/**
 * Bubblewrap makes a mount point for every missing path it covers and leaves it behind. This keeps count of who
 * needs which, and removes a mount point after its last user: only if it was not there before and is empty. Removing
 * it earlier would take the cover away in the sandboxes that still run.
 */
export class Leftovers {
  readonly #users = new Map<string, number>();

  /** Whether there is something at `path` that no sandbox put there. */
  isThere(path: string): boolean {
    return !this.#users.has(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  }

  /** Call before the command starts with the paths that are covered; call the returned function after it has ended. */
  hold(covered: readonly string[]): () => void {
    const held = covered.filter((path) => !this.isThere(path));
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

function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody put something there, or took it away: not ours any more.
  }
}

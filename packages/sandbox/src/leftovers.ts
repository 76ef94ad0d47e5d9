import { lstatSync, mkdirSync, rmdirSync } from "node:fs";

/** The covers of one command. */
export interface HeldCovers {
  /** The paths that are covered: not those that nobody could make anyway. */
  readonly paths: ReadonlySet<string>;
  /** To be called after the command has ended. */
  readonly release: () => void;
}

/**
 * A missing path can only be covered by a mount if something is there to mount on. This makes an empty directory for
 * it, keeps count of who needs which, and removes it after its last user, if it is still empty. Removing it earlier
 * would take the cover away in the sandboxes that still run.
 */
export class Leftovers {
  readonly #users = new Map<string, number>();

  /** Whether there is something at `path` that was not put there for a sandbox. */
  isThere(path: string): boolean {
    return !this.#users.has(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  }

  /** To be called before the command starts. */
  hold(missingPaths: readonly string[]): HeldCovers {
    const made = missingPaths.filter((path) => makeDirectory(path) || this.#users.has(path));
    for (const path of made) this.#users.set(path, (this.#users.get(path) ?? 0) + 1);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      for (const path of made) this.#release(path);
    };
    return { paths: new Set(made), release };
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

/** False when it is there already, or cannot be made: a command in a sandbox cannot do more. */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody put something there, or took it away: not ours any more.
  }
}

import type { FileSystem } from "@codex/environment";

export interface SlowLink {
  readonly fileSystem: FileSystem;
  /** Waits for an answer before the next question was sent. */
  readonly roundTrips: number;
  /** Every call and its path, in order. */
  readonly calls: readonly string[];
  readonly bytesRead: number;
}

/** A file system behind a link: all questions sent before the first is answered are one round trip. */
export function behindSlowLink(near: FileSystem): SlowLink {
  let waiting: (() => void)[] = [];
  const seen = { roundTrips: 0, calls: [] as string[], bytesRead: 0 };
  const travel = () =>
    new Promise<void>((resolve) => {
      if (waiting.length === 0)
        setImmediate(() => {
          const arrived = waiting;
          waiting = [];
          seen.roundTrips += 1;
          for (const arrive of arrived) arrive();
        });
      waiting.push(resolve);
    });
  const fileSystem = new Proxy(near, {
    get(target, name: keyof FileSystem) {
      return async (...args: unknown[]) => {
        seen.calls.push(`${name} ${String(args[0])}`);
        await travel();
        const answer = await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args);
        if (answer instanceof Uint8Array) seen.bytesRead += answer.length;
        return answer;
      };
    },
  });
  return {
    fileSystem,
    get roundTrips() {
      return seen.roundTrips;
    },
    get calls() {
      return seen.calls;
    },
    get bytesRead() {
      return seen.bytesRead;
    },
  };
}

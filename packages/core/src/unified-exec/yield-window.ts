const minYieldMs = 250;
const maxYieldMs = 30_000;
const minEmptyPollMs = 5_000;

const defaultExecYieldMs = 10_000;
const defaultWriteYieldMs = 250;

/** How long `exec_command` waits: 10 s when nothing is asked, else 250 ms to 30 s. */
export function execYieldMs(requestedMs: number | undefined): number {
  return clamp(requestedMs ?? defaultExecYieldMs, minYieldMs, maxYieldMs);
}

/** How long `write_stdin` waits after it has written: 250 ms when nothing is asked, at most 30 s. */
export function writeYieldMs(requestedMs: number | undefined): number {
  return clamp(requestedMs ?? defaultWriteYieldMs, minYieldMs, maxYieldMs);
}

/** How long `write_stdin` waits when it has nothing to write: at least 5 s, at most the configured time. */
export function emptyPollMs(requestedMs: number | undefined, configuredMaxMs: number): number {
  const max = Math.max(configuredMaxMs, minEmptyPollMs);
  return clamp(requestedMs ?? defaultWriteYieldMs, minEmptyPollMs, max);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

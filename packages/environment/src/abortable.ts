/** `work`, or a rejection with the signal's reason as soon as it aborts; the work itself goes on. */
export async function abortable<T>(work: T, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  if (signal === undefined || !(work instanceof Promise)) return await work;
  let stopListening = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    stopListening = () => signal.removeEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}

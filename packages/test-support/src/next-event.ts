/** The next value that `matches`, skipping others; rejects naming `what` after `timeoutMs` or when the source ends. Takes from `source` without closing it. */
export async function nextEvent<T>(
  source: AsyncIterator<T>,
  what: string,
  options: { readonly matches?: (value: T) => boolean; readonly timeoutMs?: number } = {},
): Promise<T> {
  const { matches = () => true, timeoutMs = 10_000 } = options;
  const deadline = deadlineFor(what, timeoutMs);
  try {
    for (;;) {
      const next = await Promise.race([source.next(), deadline.promise]);
      if (next.done === true) throw new Error(`ended while waiting for ${what}`);
      if (matches(next.value)) return next.value;
    }
  } finally {
    deadline.clear();
  }
}

/** `promise`, or a rejection naming `what` after `timeoutMs` (10 s). */
export async function within<P extends PromiseLike<unknown>>(
  promise: P,
  what: string,
  timeoutMs = 10_000,
): Promise<Awaited<P>> {
  const deadline = deadlineFor(what, timeoutMs);
  try {
    return await Promise.race([promise, deadline.promise]);
  } finally {
    deadline.clear();
  }
}

function deadlineFor(
  what: string,
  timeoutMs: number,
): { readonly promise: Promise<never>; readonly clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`waited ${timeoutMs} ms in vain for ${what}`)),
      timeoutMs,
    );
  });
  return { promise, clear: () => clearTimeout(timer) };
}

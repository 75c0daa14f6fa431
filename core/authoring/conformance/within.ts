import { setTimeout as sleep } from 'node:timers/promises';

/** How long a case waits for what should take milliseconds: long enough for a busy machine. */
const PATIENCE_MS = 5_000;
/** For a whole answer, which may come byte by byte. */
export const ANSWER_LIMIT_MS = 12_000;
/** How long a driver may take to let go after its signal has fired. */
export const CANCEL_LIMIT_MS = 1_000;

const LOOK_EVERY_MS = 5;

/** Settles like `work`, or fails the case after the limit. */
export async function within<T>(work: Promise<T>, what: string, limitMs = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed(`${what} within ${limitMs} ms`)), limitMs);
  });
  // Whatever it still does is nobody's concern any more.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when a list is empty, or fails the case with what is still in it. */
export async function untilEmpty(list: () => string[], what: string, limitMs = CANCEL_LIMIT_MS): Promise<void> {
  const end = performance.now() + limitMs;
  while (list().length > 0) {
    if (performance.now() > end) throw failed(`${what}: after ${limitMs} ms there is still ${list().join(', ')}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Resolves when the condition holds, or fails the case. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  await untilEmpty(() => (condition() ? [] : ['no sign of it']), what, PATIENCE_MS);
}

/** What a case that has found a fault throws. Not an `AssertionError`: runners show two values of it, and there are none. */
export class ConformanceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConformanceError';
  }
}

export function failed(message: string): ConformanceError {
  return new ConformanceError(message);
}

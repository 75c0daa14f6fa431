import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine. The awaited events usually take milliseconds. */
const PATIENCE_MS = 5_000;
/** Ends a hang: a whole answer may arrive byte by byte. */
export const ANSWER_LIMIT_MS = 30_000;
/** Long enough for a driver to give its program the whole input. */
export const WAITING_LIMIT_MS = 10_000;
/** The time in which a driver must free its resources after its signal. */
export const CANCEL_LIMIT_MS = 1_000;

/**
 * A limit counts looks and not time: on a busy machine this process may stand still for seconds, which is no fault of the
 * driver.
 */
const LOOK_EVERY_MS = 5;

/** Settles like `work`, which plain JavaScript may give without a promise, or fails the case after the limit. */
export async function within<T>(given: Promise<T>, what: string | (() => string), limitMs = PATIENCE_MS): Promise<T> {
  const work = Promise.resolve(given);
  let looks = limitMs / LOOK_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (--looks > 0) return;
      reject(new ConformanceError(`${typeof what === 'string' ? what : what()} within ${limitMs} ms`));
    }, LOOK_EVERY_MS);
  });
  // A failure after the limit must not become an unhandled rejection.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when a list is empty. Fails the case with the remaining items after the limit. */
export async function untilEmpty(list: () => string[], what: string, limitMs = CANCEL_LIMIT_MS): Promise<void> {
  for (let looks = limitMs / LOOK_EVERY_MS; list().length > 0; looks -= 1) {
    if (looks <= 0) throw new ConformanceError(`${what}: after ${limitMs} ms there is still ${list().join(', ')}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Resolves when the condition holds, or fails the case. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  await untilEmpty(() => (condition() ? [] : ['no sign of it']), what, PATIENCE_MS);
}

/** The fault that a case has found. Not an `AssertionError`, because test runners show two values of such an error. */
export class ConformanceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConformanceError';
  }
}

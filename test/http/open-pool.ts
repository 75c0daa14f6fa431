import { HttpPool } from '../../core/http/http-pool';
import type { HttpLimits } from '../../core/http/connections';
import { type DriverError, isDriverError } from '../../core/contract/driver-error';

/** The pool that a provider gets. */
export function openPool(limits?: HttpLimits): HttpPool {
  return new HttpPool(limits);
}

/** Lets no timeout pass while it works. A body that is merely left would close its connection after a second. */
export async function withoutTimeouts<T>(work: () => Promise<T>): Promise<T> {
  const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  jest.useFakeTimers({ doNotFake: [...others, 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}

/** The driver error a promise fails with. */
export async function failureOf(work: Promise<unknown>): Promise<DriverError> {
  try {
    await work;
  } catch (error) {
    if (isDriverError(error)) return error;
    throw error;
  }
  throw new Error('it was expected to fail');
}

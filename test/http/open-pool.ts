import { HttpPool } from '../../core/http/http-pool';
import type { HttpLimits } from '../../core/http/connections';
import { DriverError, isDriverError } from '../../core/contract/driver-error';

/** The real pool with the real error class, as a provider gets it. */
export function openPool(limits?: HttpLimits): HttpPool {
  return new HttpPool((code, message, details) => new DriverError(code, message, details), limits);
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

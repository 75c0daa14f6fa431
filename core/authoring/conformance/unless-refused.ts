import type { DriverErrorCode } from '../../contract/api';
import { isDriverError } from '../../contract/driver-error';

/** What the work resolves with. Undefined where the driver fails with an error of the contract; with a `code`, of this code only. */
export async function unlessRefused<T>(work: Promise<T>, code?: DriverErrorCode): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isDriverError(error) || (code !== undefined && error.code !== code)) throw error;
    return undefined;
  }
}

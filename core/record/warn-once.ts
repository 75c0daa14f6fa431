import { messageOf } from '../errors';
import type { Logger } from '../contract/api';

/** Reports the first failure of something that is tried again and again. */
export function warnOnce(log: Logger, consequence: string): (error: unknown) => void {
  let hasWarned = false;
  return (error) => {
    if (!hasWarned) log.warn(`${consequence}: ${messageOf(error)}`);
    hasWarned = true;
  };
}

import type { DriverContext } from '../contract/api';
import { makeDriverError, unsoundDetails } from '../contract/driver-error';

/** `context.error` of the contract, which names each mistake of a driver once. */
export function checkedError({ driver, log }: Pick<DriverContext, 'driver' | 'log'>): DriverContext['error'] {
  const named = new Set<string>();
  return (code, message, details) => {
    const text = typeof message === 'string' ? [] : [`message ${JSON.stringify(message)?.slice(0, 60)}`];
    for (const detail of [...text, ...unsoundDetails(details ?? {})]) {
      // Without its value, which may be another one each time.
      const [name = ''] = detail.split(' ');
      if (named.has(name)) continue;
      named.add(name);
      log.warn(`driver "${driver}" gives context.error a detail that it does not take: ${detail}`);
    }
    return makeDriverError(code, message, details);
  };
}

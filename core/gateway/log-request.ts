import type { Logger } from '../contract/api';
import type { Arrival } from './arrival';

/** A path of the client's own making may be 16 KiB long. */
const LONGEST_PATH = 256;

/** The line about a request that is no call, once its answer has left. */
export function logRequest(log: Logger, { id, request, response, path, startedMs }: Arrival): void {
  response.once('close', () => {
    const ms = Math.round(performance.now() - startedMs);
    log.info('request', {
      id,
      method: request.method,
      path: path.slice(0, LONGEST_PATH),
      status: response.statusCode,
      ms,
    });
  });
}

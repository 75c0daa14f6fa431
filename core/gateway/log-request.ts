import type { Logger } from '../contract/api';
import { beginsLikeKey, HIDDEN, isSurelyKey, nameHoldsKey } from '../contract/secrets';
import type { Arrival } from './arrival';
import { CLIENT_GONE } from './call-record';

/** A path of the client's own making may be 16 KiB long. */
const LONGEST_PATH = 256;

/** The line about a request that is no call, once its answer has left, or its client. */
export function logRequest(log: Logger, { id, request, response, path, startedMs }: Arrival): void {
  response.once('close', () => {
    const ms = Math.round(performance.now() - startedMs);
    log.info('request', {
      id,
      method: request.method,
      path: shownPath(path).slice(0, LONGEST_PATH),
      status: response.writableFinished ? response.statusCode : CLIENT_GONE,
      ms,
    });
  });
}

/** A client may put a key where the name of a model belongs. Ids of answers are long mixtures, too, and stay. */
function shownPath(path: string): string {
  const parts = path.split('/');
  const models = parts.indexOf('models');
  const isKey = (part: string, at: number) =>
    isSurelyKey(part) || beginsLikeKey(part) || (models >= 0 && at > models && nameHoldsKey(part));
  return parts.map((part, at) => (isKey(part, at) ? HIDDEN : part)).join('/');
}

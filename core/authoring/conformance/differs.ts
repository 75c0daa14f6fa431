import type { ChatRequest } from '../../contract/api';
import type { Stage } from './stage';
import { unlessRefused } from './unless-refused';
import { ConformanceError } from './within';

/**
 * Fails the case when a request with `more` reaches the backend as the same request without it, and `meta` does not name the
 * field. A driver that refuses it with invalid_request is in order. Where equal requests differ, nothing can be seen.
 */
export async function differs(
  stage: Stage,
  field: string,
  more: Partial<ChatRequest>,
  plain: Partial<ChatRequest> = {},
): Promise<void> {
  const one = await sent(stage, plain);
  const other = await sent(stage, plain);
  if (one === undefined || one.raw !== other?.raw) return;
  const found = await sent(stage, { ...plain, ...more });
  if (found === undefined || found.ignored.includes(field) || found.raw !== one.raw) return;
  throw new ConformanceError(
    `${field} ${JSON.stringify(Object.values(more)[0])} did not reach the backend, and meta does not name ${field} as ignored`,
  );
}

/** How a request reaches the backend. Undefined where the driver refuses it with invalid_request. */
export async function sent(stage: Stage, request: Partial<ChatRequest>) {
  const answer = await unlessRefused(stage.answer({}, request), 'invalid_request');
  return answer && { ignored: answer.ignored, raw: stage.lastReceived().raw };
}

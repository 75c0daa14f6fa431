import { codeOf } from '../../errors';
import type { ChatRequest } from '../../contract/api';
import type { Stage } from './stage';
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
  const sent = async (request: Partial<ChatRequest>) => {
    const { ignored } = await stage.answer({}, request);
    return { ignored, raw: stage.lastReceived().raw };
  };
  const first = await sent(plain);
  if ((await sent(plain)).raw !== first.raw) return;
  try {
    const { ignored, raw } = await sent({ ...plain, ...more });
    if (ignored.includes(field) || raw !== first.raw) return;
  } catch (error) {
    if (codeOf(error) === 'invalid_request') return;
    throw error;
  }
  throw new ConformanceError(
    `${field} ${JSON.stringify(Object.values(more)[0])} did not reach the backend, and meta does not name ${field} as ignored`,
  );
}

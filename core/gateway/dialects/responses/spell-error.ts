import type { HttpError } from '../../../serving/http-error';
import type { SpelledError } from '../../dialect';
import { spellAt } from '../chat-completions/spell-error';
import { messageWithHint, paramOf } from '../../to-http-error';
import { judge } from './judge-failure';
import { fieldNames } from './request-fields';

/** The form of chat-completions, with the statuses and codes that clients of this wire act on. */
export function spellError(error: HttpError): SpelledError {
  const { status, code, isFinal } = judge(error);
  const { headers, body } = spellAt(status, error) as SpelledError & { body: { error: object } };
  const { 'retry-after': wait, ...others } = headers;
  return {
    status,
    // With a time to wait, clients would repeat what is final.
    headers: isFinal ? { ...others, 'x-should-retry': 'false' } : { ...others, ...(wait && { 'retry-after': wait }) },
    body: {
      error: { ...body.error, message: messageWithHint(error), code, param: paramOf(error, fieldNames) ?? null },
    },
  };
}

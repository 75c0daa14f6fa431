import { DriverError } from '../../../../core/contract/driver-error';
import { overflowWords } from '../../../../core/gateway/dialects/messages/overflow-words';
import { findErrorMessage } from '../../../../core/http/error-message';
import { overflowAdvice } from '../../../../plugins/_shared/http/context-overflow';
import { OVERFLOWS } from '../../recorded-overflows';

/** The error that the HTTP layer makes of such an answer. */
function failure(error: unknown, status = 400): DriverError {
  const answer = { error };
  const message = `host answered ${status}: ${findErrorMessage(JSON.stringify(answer))}`;
  return new DriverError(status < 500 ? 'rejected' : 'upstream', message, { status, answer });
}

test.each(OVERFLOWS)(
  'a conversation that is too long for $backend is known as such, and its numbers are found',
  (recorded) => {
    const refused = failure(recorded.error, recorded.status);
    const advice = overflowAdvice(refused);
    expect(advice).toMatchObject({ code: 'rejected', kind: 'context_overflow' });
    const note = advice?.note === undefined ? '' : ` (${advice.note})`;
    const counts = recorded.numbers === undefined ? '' : `: ${recorded.numbers}`;
    expect(overflowWords(refused.message + note)).toBe(`prompt is too long${counts} (${refused.message}${note})`);
  },
);

test('numbers of which neither is over the other are not told as if one were', () => {
  const full = {
    message: 'no room for an answer',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 256,
    n_ctx: 256,
  };
  expect(overflowAdvice(failure(full))).toMatchObject({ kind: 'context_overflow', note: undefined });
});

test('a long text of a backend, in whatever words, is read at once', () => {
  const words = 'max_'.repeat(5_000);
  const startedAt = performance.now();
  expect(overflowWords(words)).toBe(`prompt is too long (${words})`);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test.each([
  ['max_tokens is too large: 64000. This model supports at most 4096 completion tokens', 400],
  ['Rate limit reached: tokens per minute exceed the limit of 30000 tokens', 429],
  ['The model `llama` does not exist', 404],
  ["Invalid 'messages[0].content': string too long", 400],
])('"%s" is another failure', (words, status) => {
  expect(overflowAdvice(failure({ message: words }, status))).toBeUndefined();
});

import { failureOf } from '../../http/open-pool';
import { CUT, json, sse, type Answer } from '../../setup/upstream';
import { useVendor, ZETA } from '../vendors';
import { answer, end, refusal } from './wire';

const harness = useVendor(ZETA);

const refused = (status: number, message: string, details: object[] = [], headers: Record<string, string> = {}) =>
  json(refusal(status, message, details), { status, headers });

const WRONG_KEY = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37.5s' };
const DAILY = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] };

test.each<[string, Answer, object, string]>([
  ['a wrong key', refused(400, 'API key not valid.', [WRONG_KEY]), { code: 'auth', status: 400, hint: 'check the key in GEMINI_API_KEY' }, 'API key not valid'],
  [
    'a prompt that is too long',
    refused(400, 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
    { code: 'rejected', kind: 'context_overflow' },
    'exceeds',
  ],
  ['429 with a header', refused(429, 'slow', [RETRY], { 'retry-after': '7' }), { code: 'rate_limited', retryAfterS: 7 }, 'slow'],
  ['429 with RetryInfo', refused(429, 'slow', [RETRY]), { code: 'rate_limited', retryAfterS: 38, status: 429 }, 'slow'],
  ['429 for the day', refused(429, 'spent', [DAILY]), { code: 'rate_limited', kind: 'usage_limit' }, 'spent'],
  ['503', refused(503, 'busy'), { code: 'upstream', status: 503, kind: 'overloaded' }, 'busy'],
  ['a list', json([refusal(429, 'slow', [RETRY])], { status: 429 }), { code: 'rate_limited', retryAfterS: 38 }, 'slow'],
  ['an error in a 200', json(refusal(503, 'busy')), { code: 'upstream', status: 503, kind: 'overloaded' }, 'busy'],
  ['another API', json({ choices: [] }), { code: 'protocol' }, 'no candidates'],
  ['no candidates', json({ candidates: [], usageMetadata: {} }), { code: 'upstream', kind: 'empty' }, 'without candidates'],
  ['no finish', json(answer('x')), { code: 'protocol', kind: 'truncated' }, 'finishReason'],
])('%s is an error', async (_, given, expected, message) => {
  harness().upstream.answer(given);
  const failure = await failureOf(harness().chat());
  expect(failure).toMatchObject(expected);
  expect(failure.message).toContain(message);
  expect(harness().upstream.requests).toHaveLength(1);
}); // prettier-ignore

test.each<[string, Answer, object, string]>([
  ['ends without its finish', sse([answer('x')]), { code: 'protocol', kind: 'truncated' }, 'in the middle'],
  ['ends so with [DONE]', sse([answer('x'), 'data: [DONE]\n\n']), { code: 'protocol', kind: 'truncated' }, 'in the middle'],
  ['has no events', sse([]), { code: 'protocol', kind: 'truncated' }, 'before it began'],
  ['has usage only', sse([{ usageMetadata: { promptTokenCount: 1 } }]), { code: 'protocol', kind: 'truncated' }, 'before it began'],
  ['reports an error', sse([answer('x'), refusal(503, 'busy')]), { code: 'upstream', status: 503, kind: 'overloaded' }, 'busy'],
  ['reports a limit', sse([answer('x'), refusal(429, 'slow', [RETRY])]), { code: 'rate_limited', retryAfterS: 38 }, 'slow'],
])('a stream that %s fails', async (_, given, expected, message) => {
  harness().upstream.answer(given);
  const failure = await failureOf(harness().chat({ stream: true }));
  expect(failure).toMatchObject(expected);
  expect(failure.message).toContain(message);
}); // prettier-ignore

test('a model that is not there is named with the address that was asked', async () => {
  harness().upstream.answer(refused(404, 'models/m is not found'));
  const { kind, hint } = await failureOf(harness().chat({ model: 'models/m' }));
  expect(kind).toBe('model_unavailable');
  expect(hint).toContain(`"models/m" and base_url (the request went to ${harness().upstream.url}/v1beta/models/m)`);
});

test('a stream that is cut after its finish is whole', async () => {
  harness().upstream.answer(sse([end('x'), CUT]));
  expect((await harness().chat({ stream: true })).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
});

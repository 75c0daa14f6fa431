import { CUT, json, raw, type Answer } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import type { DriverHarness } from '../harness';
import { startEpsilon } from './harness';

let harness: DriverHarness;

beforeEach(async () => {
  harness = await startEpsilon();
});

afterEach(() => harness.close());

const vendor = (message: string, fields: object = {}) => ({ error: { message, type: 'x', param: null, ...fields } });
const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  json(vendor(message), { status, headers });

test.each<[string, Answer, object, string]>([
  ['401', refused(401, 'bad key'), { code: 'auth', status: 401, hint: 'check the key in OPENAI_API_KEY' }, 'bad key'],
  ['404', refused(404, 'no model m'), { code: 'rejected', status: 404, kind: 'model_unavailable' }, 'no model m'],
  ['409', refused(409, 'locked'), { code: 'rejected', status: 409 }, 'locked'],
  ['429', refused(429, 'slow', { 'retry-after': '7' }), { code: 'rate_limited', retryAfterS: 7, status: 429 }, 'slow'],
  ['500', refused(500, 'oops'), { code: 'upstream', status: 500 }, 'oops'],
  ['504', refused(504, 'request timed out'), { code: 'upstream', status: 504 }, 'request timed out'],
  [
    '529',
    refused(529, 'overloaded', { 'retry-after': '3' }),
    { code: 'upstream', status: 529, retryAfterS: 3 },
    'over',
  ],
  ['a reset', raw([CUT]), { code: 'unreachable' }, 'closed the connection'],
  ['no choices', json({ id: 'x', choices: [] }), { code: 'upstream', kind: 'empty' }, 'empty list of choices'],
  ['an error in a 200', json(vendor('down', { code: 'server_error' })), { code: 'upstream' }, 'down'],
])('%s becomes the right error, with one request, streamed or not', async (_, answer, expected, message) => {
  harness.upstream.answer(answer);
  for (const stream of [false, true]) {
    const failure = await failureOf(harness.chat({ stream }));
    expect(failure).toMatchObject(expected);
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain('sk-1');
  }
  expect(harness.upstream.requests).toHaveLength(2);
});

test.each([
  [429, 'insufficient_quota', 'usage_limit'],
  [400, 'context_length_exceeded', 'context_overflow'],
  [403, 'model_not_found', 'model_unavailable'],
  [529, null, 'overloaded'],
  [429, 'rate_limit_exceeded', 'rate_limited'],
])('status %i with the code %s is of the kind %s', async (status, code, kind) => {
  harness.upstream.answer(json(vendor('no', { code }), { status }));
  expect((await failureOf(harness.chat())).kind).toBe(kind);
});

test('a host that does not exist is unreachable, whatever its name makes an SDK think', async () => {
  const lost = await startEpsilon({ base_url: 'http://timeout.invalid/v1' });
  expect(await failureOf(lost.chat())).toMatchObject({ code: 'unreachable' });
  await lost.close();
});

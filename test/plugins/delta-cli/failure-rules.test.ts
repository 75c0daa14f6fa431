import { EventReader } from '../../../plugins/delta-cli/event-reader';
import { failureRules, unwrapReport } from '../../../plugins/delta-cli/failure-rules';
import { explainByRules, type FailedRun } from '../../../plugins/_shared/cli/explain-by-rules';
import { makeDriverError } from '../../../core/contract/driver-error';
import { recordedEvents, recordingNames } from './recordings';

const RUN = { path: '/bin/codex', name: 'codex', command: 'codex', provider: 'p', extraArgs: [], hasActed: false };

const explain = (text: string, run: Partial<FailedRun> = {}) =>
  explainByRules({ error: makeDriverError }, failureRules, unwrapReport({ text }), { ...RUN, model: 'gpt-x', ...run });

function failureOf(name: string): string | undefined {
  const reader = new EventReader(true);
  const outcomes = recordedEvents(name).map((event) => reader.read(event)?.outcome);
  const failed = outcomes.find((outcome) => outcome?.type === 'failure' && !outcome.isEarly);
  return failed?.type === 'failure' ? failed.report.text : undefined;
}

test.each([
  ['400', 'rejected', 'rejected', undefined, undefined],
  ['401', 'auth', 'login_required', 401, 'run: codex login'],
  ['401-default-retries', 'auth', 'login_required', 401, 'run: codex login'],
  ['not-logged-in', 'auth', 'login_required', 401, 'run: codex login'],
  ['403', 'auth', 'auth', 403, /codex login status/],
  ['404', 'rejected', 'model_unavailable', undefined, /"gpt-x"/],
  ['unsupported-model', 'rejected', 'model_unavailable', undefined, /"gpt-x"/],
  ['429', 'rate_limited', 'rate_limited', 429, /in a minute/],
  ['failed-rate', 'rate_limited', 'rate_limited', undefined, /in a minute/],
  ['failed-quota', 'rate_limited', 'usage_limit', undefined, /wait until/],
  ['not-in-plan', 'rate_limited', 'usage_limit', undefined, /upgrade the plan/],
  ['usage-limit', 'rate_limited', 'usage_limit', undefined, /wait until/],
  ['usage-limit-days', 'rate_limited', 'usage_limit', undefined, /wait until/],
  ['500', 'upstream', 'overloaded', undefined, /another model/],
  ['503', 'upstream', 'overloaded', undefined, /another model/],
  ['html502', 'upstream', 'upstream', 502, undefined],
  ['middrop', 'upstream', 'truncated', undefined, undefined],
  ['incomplete', 'upstream', 'truncated', undefined, undefined],
  ['answer-repeated', 'upstream', 'truncated', undefined, undefined],
  ['idle-timeout', 'timeout', 'timeout', undefined, undefined],
  ['failed-context', 'rejected', 'context_overflow', undefined, /shorten/],
  ['refused-bounded', 'unreachable', 'unreachable', undefined, /network/],
  ['refused-websocket', 'unreachable', 'unreachable', undefined, /network/],
  ['missing-key', 'auth', 'missing_key', undefined, /MOCK_KEY/],
] as const)('the recording "%s" fails with %s, kind %s', (name, code, kind, status, hint) => {
  const error = explain(failureOf(name)!);
  expect([error.code, error.kind, error.status]).toEqual([code, kind, status]);
  expect(error.hint ?? '').toMatch(hint ?? /^$/);
  expect(error.message).toMatch(/^codex: \S/);
});

test('there is a line above for every recording of a failed turn', () => {
  expect(recordingNames().filter((name) => failureOf(name) !== undefined)).toHaveLength(24);
});

test('a limit says when it ends', () => {
  const { retryAfterS, message } = explain(
    'You’ve hit your usage limit. Upgrade to Pro or try again in 2 hours 1 minute.',
  );
  expect(retryAfterS).toBe(2 * 3600 + 60);
  expect(message).toContain('Upgrade to Pro');
});

test('the words of an error answer are taken out of its body', () => {
  expect(explain(failureOf('400')!).message).toBe('codex: Invalid request.');
  expect(explain('{"error":"flat"}').message).toBe('codex: flat');
  expect(explain('{"else":1}').message).toBe('codex: {"else":1}');
  expect(explain('{half').code).toBe('upstream');
});

test('with api_key_env the hint names the variable instead of the login', () => {
  expect(explain('unexpected status 401 Unauthorized: no', { keyName: 'MY_KEY' }).hint).toBe('check the key in MY_KEY');
});

test.each(['The monkey in the author’s context menu asked for the key', 'a new kind of trouble'])(
  'words that merely resemble a known failure are upstream: %s',
  (message) => expect([explain(message).code, explain(message).kind]).toEqual(['upstream', 'upstream']),
);

test('a page that came instead of a message is cut', () => {
  expect(explain(`unexpected status 502 Bad Gateway: ${'x'.repeat(100_000)}`).message.length).toBeLessThan(1_100);
});

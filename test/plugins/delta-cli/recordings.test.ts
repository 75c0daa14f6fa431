import { EventReader } from '../../../plugins/delta-cli/event-reader';
import { failureRules, unwrapReport } from '../../../plugins/delta-cli/failure-rules';
import type { FailedRun } from '../../../plugins/_shared/cli/explain-by-rules';
import { explain as explainBy, readOutput, recordedLines, recordingNames, reportOf } from '../recordings';

const readLines = (lines: readonly string[]) => readOutput(new EventReader(false), lines);
const read = (name: string) => readLines(recordedLines('codex', name));
/** Without the notices that end the run early: up to what the program itself says in the end. */
const readOn = (name: string) =>
  readLines(recordedLines('codex', name).filter((line) => !/Reconnecting/.test(line) || !readLines([line]).outcome));
const explain = (text: string, run: Partial<FailedRun> = {}) =>
  explainBy(failureRules, unwrapReport({ text }), { name: 'codex', command: 'codex', ...run });

test.each(['ok', 'tool', 'tool-ro-write', 'cache', 'reasoning', 'yolo-plus-sandbox'])('"%s" is an answer', (name) => {
  const { text, outcome } = read(name);
  expect(text).toBe('Hello from the mock upstream.');
  expect(outcome).toMatchObject({ type: 'answer', finish: 'stop' });
});

test('cached input tokens are part of the input tokens, and reasoning is no text', () => {
  const counts = { inputTokens: 1000, outputTokens: 12, cachedInputTokens: 900, cacheWriteInputTokens: 0 };
  expect(read('cache').outcome).toMatchObject({ usage: { ...counts, reasoningTokens: 0 } });
  const { reasoning, outcome } = read('reasoning');
  expect([reasoning, outcome]).toMatchObject(['**Thinking** about the answer.', { usage: { reasoningTokens: 7 } }]);
});

test('warnings of the CLI are notes, neither content nor failures', () => {
  const { items, reader } = read('ok');
  expect(items).toEqual([{ item: 'warning', message: expect.stringContaining('Model metadata') }]);
  expect(reader.end?.()).toBeUndefined();
});

test('tools at work are notes without their output', () => {
  const { items, reader } = read('tool');
  const command = "/bin/bash -lc 'echo tool-ran'";
  expect(items.slice(1)).toEqual([
    { item: 'command_execution', stage: 'item.started', command, status: 'in_progress' },
    { item: 'command_execution', stage: 'item.completed', command, status: 'completed', exit_code: 0 },
  ]);
  expect(reader.hasActed).toBe(true);
});

test('a run that was stopped has neither an answer nor a failure', () => {
  expect(read('sigterm')).toMatchObject({ events: [], outcome: undefined });
});

const failures = [
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
  // A message that is complete is no answer when its turn fails.
  ['incomplete', 'upstream', 'truncated', undefined, undefined],
  ['answer-repeated', 'upstream', 'truncated', undefined, undefined],
  ['idle-timeout', 'timeout', 'timeout', undefined, undefined],
  ['failed-context', 'rejected', 'context_overflow', undefined, /shorten/],
  ['refused-bounded', 'unreachable', 'unreachable', undefined, /network/],
  ['refused-websocket', 'unreachable', 'unreachable', undefined, /network/],
  ['missing-key', 'auth', 'missing_key', undefined, /MOCK_KEY/],
] as const;

test.each(failures)('"%s" fails with %s, kind %s, and nothing of it is passed on', (name, code, kind, status, hint) => {
  const run = readOn(name);
  const error = explain(reportOf(run).text!);
  expect([error.code, error.kind, error.status, run.text]).toEqual([code, kind, status, '']);
  expect(error.hint ?? '').toMatch(hint ?? /^$/);
  expect(error.message).toMatch(/^codex: \S/);
});

test('there is a line above for every recording of a failed turn', () => {
  const failed = recordingNames('codex').filter((name) => readOn(name).outcome?.type === 'failure');
  expect(failed.sort()).toEqual(failures.map(([name]) => name).sort());
});

test.each(['401-default-retries', 'not-logged-in', 'refused-unbounded', 'refused-websocket'])(
  '"%s" is known at the first notice',
  (name) => {
    const lines = recordedLines('codex', name);
    const first = lines.findIndex((line) => line.includes('Reconnecting...'));
    expect(readLines(lines.slice(0, first + 1)).outcome?.type).toBe('failure');
  },
);

test('a limit says when it ends', () => {
  const words = 'You’ve hit your usage limit. Upgrade to Pro or try again in 2 hours 1 minute.';
  expect(explain(words)).toMatchObject({
    retryAfterS: 2 * 3600 + 60,
    message: expect.stringContaining('Upgrade to Pro'),
  });
});

test('an account without credit is no limit that is renewed', () => {
  const words = 'unexpected status 402 Payment Required: Insufficient credits';
  expect(explain(words)).toMatchObject({ kind: 'billing', status: 402, retryAfterS: undefined });
});

test('the words of an error answer are taken out of its body', () => {
  expect(explain(reportOf(read('400')).text!).message).toBe('codex: Invalid request.');
  expect(explain('{"error":"flat"}').message).toBe('codex: flat');
  expect(explain('{"else":1}').message).toBe('codex: {"else":1}');
  expect(explain('{half').code).toBe('upstream');
});

test('with api_key_env the hint names the variable instead of the login', () => {
  expect(explain('unexpected status 401 Unauthorized: no', { keyName: 'MY_KEY' }).hint).toBe('check the key in MY_KEY');
});

test.each(['The monkey in the author’s context menu asked for the key', 'a new kind of trouble'])(
  'words that merely resemble a known failure are upstream: %s',
  (message) => expect(explain(message)).toMatchObject({ code: 'upstream', kind: 'upstream' }),
);

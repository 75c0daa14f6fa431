import { EventReader, type EventReaderOptions } from '../../../plugins/alpha-cli/event-reader';
import { classify, failureRules } from '../../../plugins/alpha-cli/failure-rules';
import { expectGrowth, explain, readOutput, recordedLines, recordingNames, reportOf } from '../recordings';

const PATIENT: EventReaderOptions = { endsAtLimit: false, refusesRestart: true, deadline: Number.MAX_SAFE_INTEGER };
const HELLO = 'Hello from the mock upstream.';

const readLines = (lines: readonly unknown[], options: Partial<EventReaderOptions> = {}) =>
  readOutput(new EventReader({ ...PATIENT, ...options }), lines);
const read = (name: string, options?: Partial<EventReaderOptions>) => readLines(recordedLines('claude', name), options);

test.each([
  ['stream-ok', HELLO, 'stop'],
  ['stream-ok-nopartial', HELLO, 'stop'],
  ['stream-cache', HELLO, 'stop'],
  ['stream-thinking', HELLO, 'stop'],
  ['stream-flaky', HELLO, 'stop'],
  ['badeffort', HELLO, 'stop'],
  ['stream-tool-bypass', `I will run a tool.\n\n${HELLO}`, 'stop'],
  ['stream-tool-denied', `I will run a tool.\n\n${HELLO}`, 'stop'],
  // The stream broke after "Hello from", and the whole came again.
  ['stream-miderror', HELLO, 'stop'],
  ['stream-middrop', HELLO, 'stop'],
  // Continued by the program at each token limit.
  ['stream-max-tokens', HELLO.repeat(4), 'length'],
  ['stream-maxturns', 'I will run a tool.', 'length'],
  ['stream-refusal', HELLO, 'content_filter'],
  ['stream-empty', '', 'stop'],
])('%s is an answer: its text, once', (name, text, finish) => {
  const run = read(name);
  expect([run.text, run.outcome]).toEqual([text, expect.objectContaining({ type: 'answer', finish })]);
});

test('the model is named first, reasoning is kept apart, and a tool is told of with what it does', () => {
  expect(read('stream-ok').events[0]).toEqual({ type: 'meta', model: 'claude-opus-4-8[1m]' });
  expect(read('stream-thinking').reasoning).toBe('Let me think about this.');
  const { events, reader } = read('stream-tool-bypass');
  expect(events.filter(({ type }) => type === 'activity')).toEqual([
    { type: 'activity', tool: 'Bash', detail: expect.any(String) },
  ]);
  expect(reader.hasActed).toBe(true);
});

test.each(['stream-ok', 'stream-thinking', 'stream-tool-bypass', 'stream-tool-denied', 'stream-cache'])(
  '%s is one text, streamed or not',
  (name) => {
    const whole = recordedLines('claude', name).filter((line) => !line.includes('"type":"stream_event"'));
    const [streamed, single] = [read(name), readLines(whole)];
    expect([single.text, single.reasoning, single.outcome]).toEqual([
      streamed.text,
      streamed.reasoning,
      streamed.outcome,
    ]);
  },
);

test('an answer ends at its first token limit where the client has set one, with the counts up to there', () => {
  const { outcome, text } = read('stream-max-tokens', { endsAtLimit: true });
  expect(text).toBe(HELLO);
  expect(outcome).toEqual({
    ...{ type: 'answer', finish: 'length', isCut: true },
    usage: { type: 'usage', inputTokens: 25, outputTokens: 5, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  });
});

test.each([
  ['stream-400', 'rejected', 'rejected', 400],
  ['stream-401', 'auth', 'login_required', 401],
  ['stream-403', 'auth', 'auth', 403],
  ['stream-404-model', 'rejected', 'model_unavailable', 404],
  ['stream-413', 'rejected', 'context_overflow', 413],
  ['stream-429', 'rate_limited', 'rate_limited', 429],
  ['stream-500', 'upstream', 'upstream', 500],
  ['stream-529', 'upstream', 'overloaded', 529],
  ['stream-noauth', 'auth', 'login_required', undefined],
  ['stream-refused', 'unreachable', 'unreachable', undefined],
  ['stream-timeout', 'timeout', 'timeout', undefined],
  ['stream-miderror-nofallback', 'upstream', 'overloaded', undefined],
  ['stream-sigint-tool', 'upstream', 'upstream', undefined],
  ['stream-sigint-result', 'upstream', 'upstream', undefined],
])('%s is no answer, whatever its subtype says: %s, kind %s', (name, code, kind, status) => {
  const run = read(name);
  expect(explain(failureRules, classify(reportOf(run), false))).toMatchObject({ code, kind, status });
  if (!/sigint|miderror/.test(name)) expect(run.text).toBe('');
});

test.each(['stream-401', 'stream-refused'])('%s is known at the first sign', (name) => {
  const lines = recordedLines('claude', name);
  const first = lines.findIndex((line) => line.includes('"api_retry"'));
  expect(readLines(lines.slice(0, first + 1)).outcome?.type).toBe('failure');
});

test('a command never reaches the model', () => {
  const { outcome, reader, text } = read('stream-slash-unknown');
  expect([text, outcome, reader.end?.()?.text]).toEqual(['', undefined, 'Unknown command: /nope']);
});

test.each(['stream-sigint', 'stream-sigterm', 'stream-whitespace'])('%s has no end', (name) => {
  expect(read(name).outcome).toBeUndefined();
});

test.each(recordingNames('claude'))('%s has a text that only ever grows', (name) => {
  expectGrowth(readLines, recordedLines('claude', name));
});

test.each([
  // Cached and written tokens are part of the input.
  ['stream-cache', { inputTokens: 985, outputTokens: 5, cachedInputTokens: 900, cacheWriteInputTokens: 60 }, 0.001075],
  // All turns are added up.
  ['stream-tool-bypass', { inputTokens: 50, outputTokens: 12 }, expect.any(Number)],
  // The sum is empty: the list by model counts.
  ['stream-miderror', { inputTokens: 25, outputTokens: 5 }, 0.00025],
])('the counts of %s', (name, counts, costUsd) => {
  expect(read(name).outcome).toMatchObject({ usage: { ...counts, costUsd } });
});

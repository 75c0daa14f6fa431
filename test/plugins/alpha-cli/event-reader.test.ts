import { EventReader, type EventReaderOptions } from '../../../plugins/alpha-cli/event-reader';
import { readOutput, reportOf } from '../recordings';
import { assistant, blockStart, delta, failedResult, init, messageDelta, messageStart, messageStop } from './lines';
import { result, retry, said, streamed, thinking } from './lines';

const DONE = result('');
const deadline = Date.now() + 60_000;

const readLines = (lines: readonly unknown[], options: Partial<EventReaderOptions> = {}) =>
  readOutput(new EventReader({ endsAtLimit: false, refusesRestart: true, deadline, ...options }), lines);

// What no recording has.
test.each<[string, object[], string]>([
  ['repeated pieces', [messageStart(), delta('ha'), delta('ha'), said('haha'), result('haha')], 'haha'],
  ['pieces without a message', [delta('a'), delta('b'), said('ab', 'other'), result('ab')], 'ab'],
  ['a copy without an id', [messageStart(), delta('ab'), messageStop(), said('ab', ''), result('ab')], 'ab'],
  ['a copy that knows more', [messageStart(), delta('a'), said('abc'), messageStop(), result('abc')], 'abc'],
  ['blocks of one message', [said('one ', '1'), said('two', '1'), result('one two')], 'one two'],
  ['the last line only', [init(), result('all')], 'all'],
  ['a block that begins with text', [messageStart(), blockStart({ type: 'text', text: 'A' }), delta('b'), DONE], 'Ab'],
  [
    'a message with thinking between its blocks',
    [messageStart(), delta('a'), blockStart({ type: 'thinking' }), thinking('hm'), blockStart(), delta('b'), DONE],
    'ab',
  ],
  [
    'an agent, not of its subagent',
    [
      ...[messageStart('1'), delta('mine'), delta('its', 'toolu_1'), messageStop()],
      assistant([{ type: 'text', text: 'its' }], { parent_tool_use_id: 'toolu_1' }, { id: '9' }),
      result('mine'),
    ],
    'mine',
  ],
  [
    'the task at hand, not of one that comes first',
    [result('', { num_turns: 0 }), messageStart(), delta('a'), messageStop(), result('a')],
    'a',
  ],
])('the text of %s', (_, lines, text) => {
  const run = readLines(lines);
  expect([run.text, run.outcome?.type]).toEqual([text, 'answer']);
});

test.each<[string, object[], boolean]>([
  ['a word', [blockStart(), delta('a')], false],
  ['a call', [blockStart({ type: 'tool_use' })], false],
  ['thoughts alone', [blockStart({ type: 'thinking' }), thinking('hm')], true],
  ['white space', [blockStart(), delta('\n')], true],
  ['nothing', [], true],
])('a sequence that stops a message with %s ends the answer where nothing is to be seen', (_, lines, isEnd) => {
  const message = [messageStart(), ...lines, messageDelta('stop_sequence')];
  const [stopped, other] = [true, false].map((endsAtStop) => readLines(message, { endsAtStop }).outcome);
  expect([stopped, other]).toEqual([isEnd ? expect.objectContaining({ finish: 'stop' }) : undefined, undefined]);
});

test('the sequence that stopped the last message is reported, and none that stopped an earlier one', () => {
  const stopped = [messageStart('1'), delta('a'), messageDelta('stop_sequence', {}, 'END'), messageStop()];
  const more = [messageStart('2'), delta('b'), messageDelta('end_turn'), messageStop()];
  const ends = [stopped, [...stopped, ...more]].map((lines) => readLines([...lines, result('a')]).outcome);
  expect(ends).toMatchObject([
    { finish: 'stop', stopSequence: 'END' },
    { finish: 'stop', stopSequence: undefined },
  ]);
});

test.each<unknown>([
  ...[
    null,
    5,
    'text',
    [],
    {},
    { type: 7 },
    { type: 'new', text: 'x' },
    { type: 'assistant' },
    { type: 'stream_event' },
  ],
  ...[streamed({}), streamed({ type: 'content_block_delta' }), streamed({ type: 'content_block_delta', delta: 5 })],
  ...[assistant([{ type: 'text' }]), { type: 'assistant', message: { content: 'x' } }],
])('nothing is found in a line of another shape: %j', (line) => {
  expect(readLines([line]).events).toEqual([]);
});

test.each<[string, object[], boolean, string, string]>([
  ['is no answer in a chat', [delta('A dog'), messageStop(), result('A dog')], true, 'restarted', 'The cat'],
  [
    'follows where an agent works',
    [delta('A dog'), messageStop(), result('A dog')],
    false,
    'answer',
    'The cat\n\nA dog',
  ],
])('an answer that begins anew %s', (_, lines, refusesRestart, type, text) => {
  const run = readLines([messageStart('1'), delta('The cat'), messageStart('2'), ...lines], { refusesRestart });
  expect([run.outcome?.type, run.text]).toEqual([type, text]);
});

test('an answer that begins anew before its first text, or comes whole and is another', () => {
  expect(readLines([messageStart('1'), messageStart('2'), delta('A dog'), result('A dog')]).text).toBe('A dog');
  expect(readLines([messageStart('1'), delta('The cat'), said('A dog', '2')]).outcome?.type).toBe('restarted');
});

test.each([
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
  [null, 'stop'],
])('the stop reason %j is the end %s', (reason, finish) => {
  expect(readLines([result('x', { stop_reason: reason })]).outcome).toMatchObject({ type: 'answer', finish });
});

test.each<object>([
  result('x', { is_error: true }),
  result('x', { subtype: 'error_during_execution' }),
  result('x', { terminal_reason: 'prompt_too_long' }),
  { type: 'result', subtype: 'error_max_budget_usd', errors: ['x'] },
  { type: 'result', is_error: true, error: { message: 'x' } },
])('a failure has its words where they are: %j', (line) => {
  expect(reportOf(readLines([line])).text).toBe('x');
});

test('a used-up limit says when it is reset', () => {
  const limit = (status: string) => ({
    type: 'rate_limit_event',
    rate_limit_info: { status, resetsAt: 1_800_000_000 },
  });
  const failed = failedResult('Limit reached', 429);
  expect(reportOf(readLines([limit('rejected'), failed])).resetsAt).toBe(1_800_000_000);
  expect(reportOf(readLines([limit('allowed'), failed])).resetsAt).toBeUndefined();
});

test.each<[Record<string, unknown>, object | undefined]>([
  [{ error_status: 403, error: 'unknown' }, { status: 403 }],
  [
    { error_status: 429, error: 'rate_limit', retry_delay_ms: 90_000 },
    { status: 429, retryAfterS: 90 },
  ],
  [{ error_status: 529, error: 'overloaded', retry_delay_ms: 90_000 }, { status: 529 }],
  [{ error_status: 429, error: 'rate_limit' }, undefined],
  [{ error_status: null, error: 'overloaded' }, undefined],
  [{}, undefined],
])('a retry %j ends the run where it cannot help: %j', (fields, report) => {
  const { outcome } = readLines([retry(fields)]);
  if (report) expect(outcome).toMatchObject({ type: 'failure', report });
  else expect(outcome).toBeUndefined();
});

test('a tool of the server counts as one', () => {
  expect(readLines([assistant([{ type: 'server_tool_use', name: 'web_search' }])]).reader.hasActed).toBe(true);
});

test('the counts of several models are added up; values that are no counts are absent', () => {
  const modelUsage = { a: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3 }, b: { inputTokens: 4 } };
  const { outcome } = readLines([result('x', { total_cost_usd: 'x', usage: {}, modelUsage })]);
  expect(outcome).toMatchObject({ usage: { inputTokens: 8, outputTokens: 2, cachedInputTokens: 3 } });
  const odd = readLines([result('x', { usage: { input_tokens: -5, output_tokens: 'x' }, modelUsage: 5 })]);
  expect(odd.outcome).toHaveProperty('usage', undefined);
});

test('warnings among the lines of the standard error are found, and no more than a few', () => {
  const { reader } = readLines([]);
  const lines = ['x', ' Warning: a', 'no warning', ...Array<string>(9).fill('warning b')];
  const found = lines.flatMap((line) => reader.readErrorLine!(line)?.warning ?? []);
  expect(found).toEqual(['Warning: a', ...Array<string>(4).fill('warning b')]);
});

test.each([{ toString: 1 }, 'constructor'])('a block of a type that is none is skipped: %j', (odd) => {
  const lines = [
    messageStart(),
    blockStart({ type: odd }),
    delta('a'),
    assistant([{ type: odd, text: 'b' }]),
    result('a'),
  ];
  expect(readLines(lines).text).toBe('a');
});

test('the counts are known after each message, and at an end that is a failure', () => {
  const reader = new EventReader({ endsAtLimit: false, refusesRestart: true, deadline });
  const counts = { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 };
  const begin = (id: string) => streamed({ type: 'message_start', message: { id, usage: counts } });
  const finish = streamed({ type: 'message_delta', delta: {}, usage: { output_tokens: 4 } });
  const told = [begin('1'), finish, messageStop(), begin('2'), finish, messageStop()].map((line) => reader.read(line));
  expect(told.flatMap((reading) => reading?.usage ?? [])).toMatchObject([
    { inputTokens: 8, cachedInputTokens: 3, outputTokens: 4 },
    { inputTokens: 16, cachedInputTokens: 6, outputTokens: 8 },
  ]);
  const usage = { input_tokens: 20, output_tokens: 9 };
  expect(reader.read(failedResult('no', null, { usage, total_cost_usd: 0.5 }))).toMatchObject({
    ...{ usage: { inputTokens: 20, outputTokens: 9, costUsd: 0.5 }, outcome: { type: 'failure' } },
  });
});

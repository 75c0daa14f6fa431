import { assistant, blockStart, delta, failedResult, init, messageDelta, messageStart, messageStop } from './lines';
import { result, retry, said, streamed, synthetic, thinking } from './lines';
import { readLines } from './read-transcript';

const DONE = result('');

describe('text', () => {
  it.each<[string, object[], string]>([
    ['repeated pieces', [messageStart(), delta('ha'), delta('ha'), said('haha'), result('haha')], 'haha'],
    ['pieces without a message', [delta('a'), delta('b'), said('ab', 'other'), result('ab')], 'ab'],
    ['a copy without an id', [messageStart(), delta('ab'), messageStop(), said('ab', ''), result('ab')], 'ab'],
    ['a copy that knows more', [messageStart(), delta('a'), said('abc'), messageStop(), result('abc')], 'abc'],
    ['whole messages', [said('one', '1'), said('two', '2'), result('two')], 'one\n\ntwo'],
    ['blocks of one message', [said('one ', '1'), said('two', '1'), result('one two')], 'one two'],
    ['the last line only', [init(), result('all')], 'all'],
    [
      'a block that begins with text',
      [messageStart(), blockStart({ type: 'text', text: 'A' }), delta('b'), DONE],
      'Ab',
    ],
    [
      'a message that was cut at the token limit and continued',
      [
        messageStart('1'),
        delta('one '),
        messageDelta('max_tokens'),
        messageStop(),
        messageStart('2'),
        delta('two'),
        DONE,
      ],
      'one two',
    ],
    [
      'a message with thinking between its blocks',
      [messageStart(), delta('a'), blockStart({ type: 'thinking' }), thinking('hm'), blockStart(), delta('b'), DONE],
      'ab',
    ],
  ])('of %s', (_, lines, text) => {
    expect(readLines(lines).text).toBe(text);
  });

  it('never holds what a subagent says', () => {
    const { text, outcome } = readLines([
      ...[messageStart('1'), delta('mine'), delta('its', 'toolu_1'), messageStop()],
      assistant([{ type: 'text', text: 'its' }], { parent_tool_use_id: 'toolu_1' }, { id: '9' }),
      result('mine'),
    ]);
    expect([text, outcome?.type]).toEqual(['mine', 'answer']);
  });

  it('never holds what the program says in place of the model', () => {
    expect(readLines([synthetic('Prompt is too long'), said('half', '2'), synthetic('No', 'unknown')]).text).toBe(
      'half',
    );
  });

  it.each<unknown>([null, 5, 'text', [], {}, { type: 7 }, { type: 'new', text: 'x' }, { type: 'assistant' }])(
    'is not found in %j',
    (line) => expect(readLines([line]).events).toEqual([]),
  );

  it.each<object>([
    ...[streamed({}), streamed({ type: 'content_block_delta' }), streamed({ type: 'content_block_delta', delta: 5 })],
    ...[assistant([{ type: 'text' }]), { type: 'assistant', message: { content: 'x' } }, { type: 'stream_event' }],
  ])('is not found in a line of another shape: %j', (line) => {
    expect(readLines([line]).text).toBe('');
  });
});

describe('an answer that begins anew', () => {
  const again = [
    messageStart('1'),
    delta('The cat'),
    messageStart('2'),
    delta('A dog'),
    messageStop(),
    result('A dog'),
  ];

  it('is no answer where nothing has been done yet', () => {
    const { outcome, text } = readLines(again);
    expect([outcome, text]).toEqual([{ type: 'restarted' }, 'The cat']);
  });

  it('follows the first where an agent is at work', () => {
    const { outcome, text } = readLines(again, { refusesRestart: false });
    expect([outcome?.type, text]).toEqual(['answer', 'The cat\n\nA dog']);
  });

  it('is the same answer when nothing was shown before', () => {
    expect(readLines([messageStart('1'), messageStart('2'), delta('A dog'), result('A dog')]).text).toBe('A dog');
  });

  it('is no answer when it comes whole and is another', () => {
    expect(readLines([messageStart('1'), delta('The cat'), said('A dog', '2')]).outcome?.type).toBe('restarted');
  });
});

describe('the end', () => {
  it.each<[object, string]>([
    [result('x', { stop_reason: 'max_tokens' }), 'length'],
    [result('x', { stop_reason: 'model_context_window_exceeded' }), 'length'],
    [result('x', { stop_reason: 'refusal' }), 'content_filter'],
    [result('x', { stop_reason: null }), 'stop'],
    [result('x', { stop_reason: 'stop_sequence' }), 'stop'],
  ])('%j', (line, reason) => {
    expect(readLines([line]).outcome).toMatchObject({ type: 'answer', finish: reason });
  });

  it('is not a result of another task that comes first', () => {
    const stale = result('', { num_turns: 0 });
    expect(readLines([stale, messageStart(), delta('a'), messageStop(), result('a')]).text).toBe('a');
    expect(readLines([stale]).outcome).toBeUndefined();
  });

  it.each<object>([
    result('x', { is_error: true }),
    result('x', { subtype: 'error_during_execution' }),
    result('x', { terminal_reason: 'prompt_too_long' }),
    { type: 'result', subtype: 'error_max_budget_usd', errors: ['x'] },
    { type: 'result', is_error: true, error: { message: 'x' } },
  ])('is a failure: %j', (line) => {
    expect(readLines([line]).outcome).toMatchObject({ type: 'failure', report: { text: 'x' } });
  });

  it('takes the words of the failure from where they are', () => {
    const { outcome } = readLines([synthetic('Not logged in', 'authentication_failed'), failedResult('')]);
    expect(outcome).toMatchObject({ report: { text: 'Not logged in', class: 'authentication_failed' } });
  });

  it('knows when a used-up limit is reset', () => {
    const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_800_000_000 } };
    const { outcome } = readLines([limit, failedResult('Limit reached', 429)]);
    expect(outcome).toMatchObject({ report: { resetsAt: 1_800_000_000 } });
    const allowed = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed', resetsAt: 1_800_000_000 } };
    expect(readLines([allowed]).reader.end()).toBeUndefined();
  });
});

describe('a retry', () => {
  const deadline = Date.now() + 60_000;

  it.each<[Record<string, unknown>, object]>([
    [{ error_status: 401, error: 'authentication_failed' }, { status: 401 }],
    [{ error_status: 403, error: 'unknown' }, { status: 403 }],
    [{ error_status: null, error: 'unknown' }, { class: 'network' }],
    [
      { error_status: 429, error: 'rate_limit', retry_delay_ms: 90_000 },
      { status: 429, retryAfterS: 90 },
    ],
    [{ error_status: 529, error: 'overloaded', retry_delay_ms: 90_000 }, { status: 529 }],
  ])('that cannot help ends the run: %j', (fields, report) => {
    expect(readLines([retry(fields)], { deadline }).outcome).toMatchObject({
      type: 'failure',
      isEarly: true,
      report,
    });
  });

  it.each<Record<string, unknown>>([
    { error_status: 429, error: 'rate_limit' },
    { error_status: 500, error: 'server_error' },
    { error_status: null, error: 'overloaded' },
    {},
  ])('that may help is waited for: %j', (fields) => {
    expect(readLines([retry(fields)], { deadline }).outcome).toBeUndefined();
  });
});

describe('tools', () => {
  it.each([
    [blockStart({ type: 'tool_use', name: 'Bash' })],
    [assistant([{ type: 'tool_use', name: 'Bash', input: {} }])],
    [assistant([{ type: 'server_tool_use', name: 'web_search' }])],
  ])('are seen: %j', (line) => {
    expect(readLines([line]).reader.hasActed).toBe(true);
  });

  it('that were not allowed are named', () => {
    const denials = [{ tool_name: 'Bash', tool_input: {} }, {}, 5];
    expect(readLines([result('x', { permission_denials: denials })]).warnings).toEqual([
      'it was not allowed to use Bash, a tool: permission_mode decides what it may do',
    ]);
  });
});

describe('counts', () => {
  it.each([
    [
      { usage: { input_tokens: -5, output_tokens: 'x', cache_read_input_tokens: 1.6 } },
      { inputTokens: 2, outputTokens: 0 },
    ],
    [{ usage: 'x', modelUsage: 5 }, undefined],
    [
      {
        usage: {},
        modelUsage: { a: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3 }, b: { inputTokens: 4 } },
      },
      { inputTokens: 8, outputTokens: 2, cachedInputTokens: 3 },
    ],
  ])('are whole numbers or absent: %j', (fields, usage) => {
    const { outcome } = readLines([result('x', { total_cost_usd: 'x', ...fields })]);
    if (usage) expect(outcome).toMatchObject({ usage });
    else expect(outcome).toHaveProperty('usage', undefined);
  });
});

it('tells of a tool at work, with what it does', () => {
  const use = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { timeout: 5, command: 'ls' } };
  const { events } = readLines([messageStart(), blockStart({ ...use, input: {} }), assistant([use]), DONE]);
  expect(events.filter(({ type }) => type === 'activity')).toEqual([{ type: 'activity', tool: 'Bash', detail: 'ls' }]);
});

it('finds warnings among the lines of the standard error, and no more than a few', () => {
  const { reader } = readLines([]);
  const lines = ['x', ' Warning: a', 'no warning', ...Array<string>(9).fill('warning b')];
  const found = lines.flatMap((line) => reader.readErrorLine(line)?.warning ?? []);
  expect(found).toEqual(['Warning: a', ...Array<string>(4).fill('warning b')]);
});

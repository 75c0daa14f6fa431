import { failureRules, unwrapReport } from '../../../plugins/gamma-cli/failure-rules';
import { OutputReader } from '../../../plugins/gamma-cli/output-reader';
import { expectGrowth, explain, readOutput, recordedLines, recording, recordingNames, reportOf } from '../recordings';

const readLines = (lines: readonly unknown[], refusesRestart = true) =>
  readOutput(new OutputReader({ refusesRestart, deadline: Infinity }), lines);
const read = (program: 'gemini' | 'qwen', name: string) => readLines(recording(program, name).stdout.split('\n'));

const TEXT = 'tok1 tok2 tok3 ';
const USAGE = { type: 'usage', inputTokens: 1200, outputTokens: 10, cachedInputTokens: 1000, reasoningTokens: 7 };
const failure = (message: RegExp | string) => ({ type: 'failure', report: { text: expect.stringMatching(message) } });
const delta = (text: string) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
});
const whole = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const result = (text: string) => ({ type: 'result', subtype: 'success', is_error: false, result: text });

test.each([
  ['gemini', 'stream-json-ok', TEXT, 2400],
  ['gemini', 'json-ok', TEXT, 2400],
  ['gemini', 'stream-json-tool-default', `Let me look. \n\n${TEXT}`, 2400],
  ['gemini', 'stream-json-shell-yolo', `Let me look. \n\n${TEXT}`, 2400],
  // A helper of its own asks the model, too.
  ['qwen', 'v0.15-stream-json-partial', TEXT, 2400],
  ['qwen', 'v0.24-stream-json-partial', TEXT, 2400],
  ['qwen', 'v0.24-bare-stream-json-partial', TEXT, 1200],
  ['qwen', 'v0.24-stream-json', TEXT, 3600],
  ['qwen', 'v0.24-stream-json-reasoning', TEXT, 1200],
  ['qwen', 'v0.15-json-ok', TEXT, 2400],
  ['qwen', 'v0.24-json-ok', TEXT, 2400],
  ['qwen', 'v0.24-stream-json-tool-yolo', `Let me look. \n\n${TEXT}`, 2400],
] as const)('the recording of %s, %s, is an answer', (program, name, text, inputTokens) => {
  const run = read(program, name);
  const usage = expect.objectContaining({ inputTokens, cachedInputTokens: expect.any(Number) });
  expect([run.text, run.outcome]).toEqual([text, { type: 'answer', finish: 'stop', usage }]);
  if (/tool|shell/.test(name)) {
    expect(run.events).toContainEqual({ type: 'activity', tool: expect.any(String), detail: expect.any(String) });
  }
});

test('thinking is reasoning, and said once', () => {
  expect(read('qwen', 'v0.24-stream-json-reasoning').reasoning).toBe('Let me think.');
});

test.each(recordingNames('qwen'))('%s of Qwen Code has a text that only ever grows', (name) => {
  expectGrowth(readLines, recordedLines('qwen', name));
});

test.each([
  ['gemini', 'stream-json-http400', 'auth', 'login_required'],
  ['gemini', 'stream-json-http404', 'rejected', 'model_unavailable'],
  ['gemini', 'stream-json-http500-maxAttempts1', 'upstream', 'upstream'],
  ['gemini', 'stream-json-http503-maxAttempts1', 'upstream', 'overloaded'],
  ['gemini', 'stream-json-http429day-maxAttempts1', 'rate_limited', 'usage_limit'],
  ['gemini', 'stream-json-refused-maxAttempts1', 'unreachable', 'unreachable'],
  ['gemini', 'stream-json-cut-midstream', 'upstream', 'truncated'],
  ['gemini', 'stream-json-empty', 'upstream', 'upstream'],
  ['gemini', 'stream-json-safety', 'upstream', 'upstream'],
  ['gemini', 'stream-json-loop-detected', 'upstream', 'upstream'],
  ['gemini', 'json-empty', 'upstream', 'upstream'],
  ['qwen', 'v0.15-json-http401', 'auth', 'login_required'],
  ['qwen', 'v0.15-stream-json-http401', 'auth', 'login_required'],
  ['qwen', 'v0.15-json-noauth', 'auth', 'login_required'],
  ['qwen', 'v0.24-json-http401', 'auth', 'login_required'],
  ['qwen', 'v0.24-stream-json-noauth', 'auth', 'login_required'],
  ['qwen', 'v0.24-stream-json-http400', 'rejected', 'context_overflow'],
  ['qwen', 'v0.24-stream-json-http403', 'auth', 'auth'],
  ['qwen', 'v0.24-stream-json-http404', 'rejected', 'model_unavailable'],
  ['qwen', 'v0.24-stream-json-http500', 'upstream', 'upstream'],
  ['qwen', 'v0.24-stream-json-empty', 'upstream', 'empty'],
] as const)('the recording of %s, %s, fails with %s, kind %s', (program, name, code, kind) => {
  const run = read(program, name);
  const { text = '', status } = reportOf(run);
  const error = explain(failureRules, unwrapReport(text, status));
  expect(error).toMatchObject({ code, kind });
  expect(error.message).not.toMatch(/\{"error"|API Error|\bat async/);
  if (!name.includes('cut')) expect(run.text).toBe('');
});

test.each(['stream-json-SIGTERM-norelaunch', 'stream-json-SIGINT-norelaunch', 'stream-json-http429'])(
  '%s has no end',
  (name) => expect(read('gemini', name).outcome).toBeUndefined(),
);

test('an error in the middle of an answer is not a part of it', () => {
  const { text, outcome } = read('qwen', 'v0.24-stream-json-midError');
  expect([text, outcome]).toEqual(['tok1 tok2 ', failure('^\\[API Error: upstream died\\]$')]);
});

// What no recording has.
describe('Gemini CLI', () => {
  test('thoughts count as output, and cached tokens as input, in both forms of its output', () => {
    const model = {
      tokens: { input: 200, prompt: 1200, candidates: 3, total: 1210, cached: 1000, thoughts: 7, tool: 0 },
    };
    const document = JSON.stringify({ response: 'Hi', stats: { models: { x: model } } }, null, 2).split('\n');
    const stats = { total_tokens: 1210, input_tokens: 1200, output_tokens: 3, cached: 1000 };
    const stream = [
      { type: 'message', role: 'assistant', content: 'Hi' },
      { type: 'result', status: 'success', stats },
    ];
    for (const { text, outcome } of [readLines(document), readLines(stream)]) {
      expect([text, outcome]).toEqual(['Hi', { type: 'answer', finish: 'stop', usage: USAGE }]);
    }
  });

  test('a run that stopped at its limit of turns has a shorter answer', () => {
    const { outcome } = readLines([
      { type: 'message', role: 'assistant', content: 'So far.', delta: true },
      { type: 'error', severity: 'error', message: 'Maximum session turns exceeded' },
      { type: 'result', status: 'success' },
    ]);
    expect(outcome).toEqual({ type: 'answer', finish: 'length', usage: undefined });
  });

  test('a line that was cut is no answer', () => {
    const { outcome, reader } = readLines(['{"type":"init"}', '{"type":"message","role":"assistant","content":"He']);
    expect([outcome, reader.end?.()?.class]).toEqual([undefined, 'torn']);
  });
});

describe('Qwen Code', () => {
  test.each(['tok1 ', ''])('an error after "%s" that an old version calls a success is a failure', (before) => {
    const said = `${before}[API Error: 500 broken]`;
    expect(readLines([whole(said), result(said)]).outcome).toEqual(failure('^\\[API Error: 500 broken\\]$'));
  });

  test('words that look like an error are passed on when more follows', () => {
    const { text } = readLines([delta('[API Error: 401 no]'), delta(' is how it looks.'), result('')]);
    expect(text).toBe('[API Error: 401 no] is how it looks.');
  });

  test('a subagent’s words are not content', () => {
    const { text } = readLines([{ ...whole('secret plan'), parent_tool_use_id: 'call_1' }, whole('Done.')]);
    expect(text).toBe('Done.');
  });

  const retry = (preserveText: boolean) => ({ type: 'system', subtype: 'retry', data: { preserveText } });

  test('an answer that begins anew is an error in a chat, where something was said already', () => {
    expect(readLines([delta('one '), retry(false)]).outcome).toEqual({ type: 'restarted' });
    expect(readLines([retry(false), delta('one')]).text).toBe('one');
  });

  test('an answer goes on where the CLI makes the model go on', () => {
    expect(readLines([delta('one '), retry(true), delta('two')]).text).toBe('one two');
  });

  test.each([
    ['one two', 'one two'],
    ['other', 'one \n\nother'],
  ])('what begins anew in an agent’s run is not repeated: %s', (second, expected) => {
    const { text } = readLines([delta('one '), retry(false), delta(second), whole(second)], false);
    expect(text).toBe(expected);
  });
});

describe('any output', () => {
  test('noise between the lines is passed over', () => {
    const noisy = ['Loaded cached credentials.', '[STARTUP] done', '{', 'null', '5', '"x"', '[]', '{"type":7}', '{}'];
    const { text, outcome } = readLines([...noisy, ...recordedLines('gemini', 'stream-json-ok')]);
    expect([text, outcome?.type]).toEqual([TEXT, 'answer']);
  });

  test('unknown events and fields of a wrong type are passed over', () => {
    const odd = [
      ...[{ type: 'novelty' }, { type: 'assistant' }, { type: 'assistant', message: { content: 7 } }],
      ...[
        { type: 'message', role: 'assistant', content: 5 },
        { type: 'stream_event', event: 1 },
      ],
    ];
    expect(readLines([...odd, { type: 'system', subtype: 'retry' }]).text).toBe('');
  });
});

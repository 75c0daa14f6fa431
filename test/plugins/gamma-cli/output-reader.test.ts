import type { ChatEvent } from 'drivebay/plugin';
import type { Outcome } from '../../../plugins/_shared/cli/cli-run';
import { OutputReader } from '../../../plugins/gamma-cli/output-reader';
import { type Recording, recording } from './recordings';

interface Read {
  events: ChatEvent[];
  text: string;
  reasoning: string;
  outcome: Outcome | undefined;
  reader: OutputReader;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Until the first outcome, as the driver does. */
function readLines(lines: string[], refusesRestart = true): Read {
  const reader = new OutputReader({ refusesRestart, deadline: Infinity });
  const events: ChatEvent[] = [];
  let outcome: Outcome | undefined;
  for (const line of lines) {
    const reading = reader.read(parse(line), line);
    events.push(...(reading?.events ?? []));
    outcome = reading?.outcome;
    if (outcome) break;
  }
  const join = (type: 'text' | 'reasoning') => events.map((event) => (event.type === type ? event.text : '')).join('');
  return { events, text: join('text'), reasoning: join('reasoning'), outcome, reader };
}

const read = ({ stdout }: Recording, refusesRestart?: boolean) => readLines(stdout.split('\n'), refusesRestart);
const values = (...all: unknown[]) => readLines(all.map((value) => JSON.stringify(value)));

const TEXT = 'tok1 tok2 tok3 ';
const USAGE = { type: 'usage', inputTokens: 1200, outputTokens: 10, cachedInputTokens: 1000, reasoningTokens: 7 };

describe('Gemini CLI', () => {
  test.each([
    ['stream-json-ok', TEXT, 2400],
    ['json-ok', TEXT, 2400],
    ['stream-json-tool-default', `Let me look. \n\n${TEXT}`, 2400],
    ['stream-json-shell-yolo', `Let me look. \n\n${TEXT}`, 2400],
  ])('the recording %s is an answer', (name, text, inputTokens) => {
    const { text: said, outcome } = read(recording('gemini', name));
    expect(said).toBe(text);
    expect(outcome).toMatchObject({ type: 'answer', finish: 'stop', usage: { inputTokens } });
  });

  test('thoughts count as output, and cached tokens as input, in both forms of its output', () => {
    const model = {
      tokens: { input: 200, prompt: 1200, candidates: 3, total: 1210, cached: 1000, thoughts: 7, tool: 0 },
    };
    const document = JSON.stringify({ response: 'Hi', stats: { models: { x: model } } }, null, 2).split('\n');
    const stats = { total_tokens: 1210, input_tokens: 1200, output_tokens: 3, cached: 1000 };
    const stream = values(
      { type: 'message', role: 'assistant', content: 'Hi' },
      { type: 'result', status: 'success', stats },
    );
    for (const { text, outcome } of [readLines(document), stream]) {
      expect([text, outcome]).toEqual(['Hi', { type: 'answer', finish: 'stop', usage: USAGE }]);
    }
  });

  test.each([
    ['stream-json-empty', /without a finish reason/],
    ['stream-json-safety', /without a finish reason/],
    ['json-empty', /without a finish reason/],
    ['stream-json-loop-detected', /Loop detected/],
    ['stream-json-cut-midstream', /terminated/],
    ['stream-json-http400', /API key not valid/],
    ['stream-json-http404', /not found/],
    ['stream-json-http429day-maxAttempts1', /daily quota/],
    ['stream-json-refused-maxAttempts1', /fetch failed/],
  ])('the recording %s is a failure, whatever its exit code', (name, message) => {
    expect(read(recording('gemini', name)).outcome).toEqual({
      type: 'failure',
      report: { text: expect.stringMatching(message) },
    });
  });

  test.each(['stream-json-SIGTERM-norelaunch', 'stream-json-SIGINT-norelaunch', 'stream-json-http429'])(
    'the recording %s has no end',
    (name) => expect(read(recording('gemini', name)).outcome).toBeUndefined(),
  );

  test('a run that stopped at its limit of turns has a shorter answer', () => {
    const { outcome } = values(
      { type: 'message', role: 'assistant', content: 'So far.', delta: true },
      { type: 'error', severity: 'error', message: 'Maximum session turns exceeded' },
      { type: 'result', status: 'success' },
    );
    expect(outcome).toEqual({ type: 'answer', finish: 'length', usage: undefined });
  });

  test('a line that was cut is no answer', () => {
    const { outcome, reader } = readLines(['{"type":"init"}', '{"type":"message","role":"assistant","content":"He']);
    expect([outcome, reader.end()?.class]).toEqual([undefined, 'torn']);
  });

  test('an object that was cut is no answer', () => {
    const { stdout } = recording('gemini', 'json-ok');
    const { outcome, reader } = readLines(stdout.slice(0, stdout.length - 40).split('\n'));
    expect([outcome, reader.end()?.class]).toEqual([undefined, 'torn']);
  });
});

describe('Qwen Code', () => {
  test.each([
    ['v0.15-stream-json-partial', TEXT],
    ['v0.24-stream-json-partial', TEXT],
    ['v0.24-bare-stream-json-partial', TEXT],
    ['v0.24-stream-json', TEXT],
    ['v0.24-stream-json-reasoning', TEXT],
    ['v0.15-json-ok', TEXT],
    ['v0.24-json-ok', TEXT],
    ['v0.24-stream-json-tool-yolo', `Let me look. \n\n${TEXT}`],
  ])('the recording %s is an answer', (name, text) => {
    const { text: said, outcome } = read(recording('qwen', name));
    expect(said).toBe(text);
    expect(outcome).toMatchObject({ type: 'answer', finish: 'stop', usage: { cachedInputTokens: expect.any(Number) } });
  });

  test('what a helper of its own asks the model is not counted', () => {
    expect(read(recording('qwen', 'v0.24-stream-json')).outcome).toMatchObject({
      usage: { inputTokens: 1200, outputTokens: 3, cachedInputTokens: 1000 },
    });
  });

  test('thinking is reasoning, and said once', () => {
    expect(read(recording('qwen', 'v0.24-stream-json-reasoning')).reasoning).toBe('Let me think.');
  });

  test.each([
    ['v0.15-json-http401', /Incorrect API key/],
    ['v0.15-stream-json-http401', /Incorrect API key/],
    ['v0.15-json-noauth', /No auth type/],
    ['v0.24-json-http401', /Incorrect API key/],
    ['v0.24-stream-json-http500', /server had an error/],
    ['v0.24-stream-json-noauth', /No auth type/],
    ['v0.24-stream-json-empty', /empty response/],
  ])('the recording %s is a failure, and its words are no text', (name, message) => {
    const { text, outcome } = read(recording('qwen', name));
    expect(text).toBe('');
    expect(outcome).toEqual({ type: 'failure', report: { text: expect.stringMatching(message) } });
  });

  test('an error in the middle of an answer is not a part of it', () => {
    const { text, outcome } = read(recording('qwen', 'v0.24-stream-json-midError'));
    expect([text, outcome]).toEqual([
      'tok1 tok2 ',
      { type: 'failure', report: { text: '[API Error: upstream died]' } },
    ]);
  });

  test.each(['tok1 ', ''])('an error after "%s" that an old version calls a success is a failure', (before) => {
    const said = `${before}[API Error: 500 broken]`;
    const { outcome } = values(
      { type: 'assistant', message: { content: [{ type: 'text', text: said }] } },
      { type: 'result', subtype: 'success', is_error: false, result: said },
    );
    expect(outcome).toEqual({ type: 'failure', report: { text: '[API Error: 500 broken]' } });
  });

  test('words that look like an error are passed on when more follows', () => {
    const delta = (text: string) => ({
      type: 'stream_event',
      event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
    });
    const result = { type: 'result', subtype: 'success', is_error: false, result: '' };
    expect(values(delta('[API Error: 401 no]'), delta(' is how it looks.'), result).text).toBe(
      '[API Error: 401 no] is how it looks.',
    );
  });

  test('a subagent’s words are not content', () => {
    const content = [{ type: 'text', text: 'secret plan' }];
    const { text } = values(
      { type: 'assistant', parent_tool_use_id: 'call_1', message: { content } },
      { type: 'assistant', parent_tool_use_id: null, message: { content: [{ type: 'text', text: 'Done.' }] } },
    );
    expect(text).toBe('Done.');
  });
});

describe('an answer that begins anew', () => {
  const delta = (text: string) => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
  });
  const retry = (preserveText: boolean) => ({ type: 'system', subtype: 'retry', data: { preserveText } });
  const whole = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
  const lines = (...all: unknown[]) => all.map((value) => JSON.stringify(value));

  test('is an error in a chat', () => {
    expect(values(delta('one '), retry(false)).outcome).toEqual({ type: 'restarted' });
  });

  test('is nothing when nothing was said yet', () => {
    expect(values(retry(false), delta('one')).text).toBe('one');
  });

  test('goes on where the CLI makes the model go on', () => {
    expect(values(delta('one '), retry(true), delta('two')).text).toBe('one two');
  });

  test.each([
    ['one two', 'one two'],
    ['other', 'one \n\nother'],
  ])('is not repeated in an agent’s run: %s', (second, expected) => {
    const { text } = readLines(lines(delta('one '), retry(false), delta(second), whole(second)), false);
    expect(text).toBe(expected);
  });
});

describe('any output', () => {
  test('noise between the lines is passed over', () => {
    const noisy = ['Loaded cached credentials.', '[STARTUP] done', '{', 'null', '5', '"x"', '[]', '{"type":7}', '{}'];
    const { stdout } = recording('gemini', 'stream-json-ok');
    const { text, outcome } = readLines([...noisy, ...stdout.split('\n')]);
    expect([text, outcome?.type]).toEqual([TEXT, 'answer']);
  });

  test('unknown events and fields of a wrong type are passed over', () => {
    const odd = [{ type: 'novelty' }, { type: 'assistant' }, { type: 'assistant', message: { content: 7 } }];
    const more = [
      { type: 'message', role: 'assistant', content: 5 },
      { type: 'stream_event', event: 1 },
    ];
    expect(values(...odd, ...more, { type: 'system', subtype: 'retry' }).text).toBe('');
  });
});

test.each([
  ['gemini', 'stream-json-shell-yolo'],
  ['qwen', 'v0.24-stream-json-tool-yolo'],
] as const)('a tool of %s at work is told of, with what it does', (program, name) => {
  const { events } = read(recording(program, name));
  expect(events).toContainEqual({ type: 'activity', tool: expect.any(String), detail: expect.any(String) });
});

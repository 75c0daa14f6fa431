import { EventReader } from '../../../plugins/beta-cli/event-reader';
import { expectGrowth, readOutput, recordedLines, recordingNames } from '../recordings';
import { piece, result, thought, thoughtDone, tool, whole } from './lines';

const STOP = { type: 'answer' };

const readLines = (lines: readonly unknown[], refusesRestart = true) =>
  readOutput(new EventReader(refusesRestart), lines);
const read = (name: string) => readLines(recordedLines('cursor', name));

describe('a documented run', () => {
  test.each([
    ['stream-json-documented', "I'll read the README.md file\n\nDone!"],
    ['stream-json-partial-reconstructed', 'haha\n\nDone'],
  ])('%s is its texts as paragraphs, each once', (name, text) => {
    const run = read(name);
    expect([run.text, run.outcome]).toEqual([text, expect.objectContaining(STOP)]);
  });

  test.each(recordingNames('cursor'))('%s has a text that only ever grows', (name) => {
    expectGrowth(readLines, recordedLines('cursor', name));
  });

  test('names the model first, counts the cache as input, and tells of its tools', () => {
    const { events, outcome } = read('stream-json-partial-reconstructed');
    expect(events[0]).toEqual({ type: 'meta', model: 'Auto' });
    expect(outcome).toMatchObject({
      usage: { inputTokens: 2200, outputTokens: 5, cachedInputTokens: 1000, cacheWriteInputTokens: 0 },
    });
    const { events: others } = read('stream-json-documented');
    expect(others).toContainEqual({ type: 'activity', tool: 'read', detail: 'README.md' });
  });
});

describe('a text that comes again', () => {
  test.each<[string, object[], string]>([
    ['as a whole at the end', [piece('ha'), piece('ha'), whole('haha'), result('haha')], 'haha'],
    ['without a result’s text', [piece('ha'), whole('ha'), result('')], 'ha'],
    [
      'before a tool',
      [piece('a'), whole('a', 'm1'), tool('started', 'm1'), piece('a'), whole('a'), result('aa')],
      'a\n\na',
    ],
    ['after its tool began', [piece('a'), tool('started', 'm1'), whole('a', 'm1'), piece('b'), result('ab')], 'a\n\nb'],
    ['twice', [piece('a'), whole('a', 'm1'), whole('a', 'm1'), whole('a'), result('a')], 'a'],
    ['as a whole only, twice', [whole('a', 'm1'), whole('a'), result('a')], 'a'],
    ['of another call in the same words', [whole('a', 'm1'), whole('a', 'm2'), result('aa')], 'a\n\na'],
    [
      'in the same words after a tool',
      [whole('a'), tool('started'), tool('completed'), whole('a'), result('aa')],
      'a\n\na',
    ],
    ['in pieces right after its whole', [piece('a'), whole('a', 'm1'), piece('a'), whole('a'), result('aa')], 'a\n\na'],
    ['in the result only', [result('whole')], 'whole'],
    ['in the result with an end that no event had', [piece('Hel'), result('Hello')], 'Hello'],
    ['in the result in other words', [piece('Hello'), result('Something else')], 'Hello'],
  ])('%s is said once', (_, lines, text) => {
    const run = readLines(lines);
    expect([run.text, run.outcome]).toEqual([text, expect.objectContaining(STOP)]);
  });
});

describe('words of an error at the end of a text', () => {
  const ERROR = 'Error: T: [resource_exhausted] Error';

  test.each([
    ['in one piece', [piece(`Hello\n\n${ERROR}`), result(`Hello\n\n${ERROR}`)]],
    ['in many pieces', [...`Hello\n\n${ERROR}\n`].map(piece).concat(result(`Hello\n\n${ERROR}\n`) as never)],
    ['as a whole', [whole(`Hello\n\n${ERROR}`), result(`Hello\n\n${ERROR}`)]],
    ['in the result only', [piece('Hello'), result(`Hello\n\n${ERROR}`)]],
    ['that the result leaves out', [piece(`Hello\n\n${ERROR}`), whole(`Hello\n\n${ERROR}`), result('Hello')]],
  ])('%s are the failure, and no text', (_, lines) => {
    const { text, outcome } = readLines(lines);
    expect([text, outcome]).toEqual(['Hello', { type: 'failure', report: { text: ERROR } }]);
  });

  test('are the failure where they are all there is', () => {
    const words = 'T: WritableIterable is closed';
    expect(readLines([piece('T: Writable'), piece('Iterable is closed'), result(words)])).toMatchObject({
      text: '',
      outcome: { type: 'failure', report: { text: words } },
    });
  });

  test('are forgotten when the run goes on after them', () => {
    const { text, outcome } = readLines([piece(`a\n\n${ERROR}`), tool('started'), piece('b'), whole('b'), result('b')]);
    expect([text, outcome]).toEqual(['a\n\nb', expect.objectContaining(STOP)]);
  });

  test.each(['A', 'Error', 'Error: no such file', 'T: x', 'a\n\n', 'a\n\nE', 'a\n\n[internal] Error\n\nis its text'])(
    'are not those of %j',
    (said) => {
      const pieces = [...said].map(piece);
      expect(readLines([...pieces, whole(said), result(said)]).text).toBe(said);
    },
  );

  test('hold nothing back that is none of them', () => {
    expect(readLines([piece('Hello'), piece(' there')]).text).toBe('Hello there');
  });
});

test('thoughts are no text, and paragraphs of their own', () => {
  const { events, text } = readLines([thought('a'), thought('b'), thoughtDone, piece('x'), thought('c'), result('x')]);
  expect(text).toBe('x');
  expect(events.flatMap((event) => (event.type === 'reasoning' ? event.text : []))).toEqual(['a', 'b', '\n\nc']);
});

describe('a retry', () => {
  const retry = (isResume: boolean) => ({ type: 'retry', subtype: 'starting', attempt: 1, is_resume: isResume });
  const reconnecting = { type: 'connection', subtype: 'reconnecting', endpoint_url: 'https://x' };

  test('that goes on, or comes before any text, changes nothing', () => {
    expect(readLines([piece('Hel'), retry(true), piece('lo'), result('Hello')]).text).toBe('Hello');
    expect(readLines([retry(false), piece('Hello'), result('Hello')]).text).toBe('Hello');
  });

  test('of a connection is waited for', () => {
    const reconnected = { ...reconnecting, subtype: 'reconnected' };
    const run = readLines([reconnecting, reconnecting, reconnected, reconnecting, piece('Hi'), result('Hi')]);
    expect([run.text, run.outcome]).toEqual(['Hi', expect.objectContaining(STOP)]);
  });
});

describe('a failure', () => {
  test.each([
    [result('why', { is_error: true }), 'why'],
    [result('why', { subtype: 'error' }), 'why'],
    [result('', { is_error: true, error: { message: 'why' } }), 'why'],
    [result('', { is_error: true, error: 'why' }), 'why'],
    [result('', { subtype: 'cancelled' }), 'the run ended with cancelled'],
  ])('%j has the words %j', (line, message) => {
    expect(readLines([line]).outcome).toEqual({ type: 'failure', report: { text: message } });
  });

  test('has the words of an error event before it', () => {
    expect(readLines([{ type: 'error', message: 'why' }, result('', { is_error: true })]).outcome).toMatchObject({
      report: { text: 'why' },
    });
  });
});

test.each([
  ['no object', [null, 5, [], 'text', undefined]],
  ['unknown types', [{ type: 'novelty' }, {}, { type: 5 }]],
  [
    'missing and wrong fields',
    [{ type: 'assistant' }, { type: 'assistant', message: { content: 5 } }, { type: 'tool_call' }],
  ],
  ['the user’s words', [{ type: 'user', message: { content: [{ type: 'text', text: 'no' }] } }]],
  ['a subagent’s words', [{ ...piece('no'), parent_tool_call_id: 'c1' }]],
])('%s are passed over', (_, lines) => {
  expect(readLines([...lines, piece('Hi'), result('Hi')])).toMatchObject({ text: 'Hi', outcome: STOP });
});

test.each([
  [
    { inputTokens: 3, outputTokens: 2 },
    { inputTokens: 3, outputTokens: 2 },
  ],
  [{ usage: { input_tokens: 3, output_tokens: 2, cache_read_tokens: 1 } }, { inputTokens: 4, cachedInputTokens: 1 }],
  [{ usage: { inputTokens: -1, outputTokens: 'many' } }, undefined],
  [{}, undefined],
])('the counts of %j are %j', (fields, usage) => {
  const { outcome } = readLines([result('x', fields)]);
  if (usage === undefined) expect(outcome).toEqual({ type: 'answer', finish: 'stop' });
  else expect(outcome).toMatchObject({ usage });
});

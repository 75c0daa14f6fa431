import { EventReader } from '../../../plugins/delta-cli/event-reader';
import { recordedEvents } from './recordings';
import { textOf } from '../cli-harness';

const SAID = 'Hello from the mock upstream.';

function read(events: unknown[]) {
  const reader = new EventReader(false);
  const readings = events.flatMap((event) => reader.read(event) ?? []);
  return {
    reader,
    events: readings.flatMap((one) => one.events),
    items: readings.flatMap((one) => one.item ?? []),
    outcome: readings.find((one) => one.outcome)?.outcome,
  };
}

const message = (text: unknown) => ({ type: 'item.completed', item: { type: 'agent_message', text } });
const tool = (stage = 'item.completed', type = 'command_execution') => ({ type: stage, item: { type, command: 'ls' } });
const again = { type: 'error', message: 'Reconnecting... 1/5 (stream disconnected before completion: closed)' };
const done = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } };

test.each(['ok', 'tool', 'tool-ro-write', 'cache', 'reasoning', 'yolo-plus-sandbox'])(
  'the recording "%s" is an answer',
  (name) => {
    const { events, outcome } = read(recordedEvents(name));
    expect(textOf(events)).toBe(SAID);
    expect(outcome).toMatchObject({ type: 'answer', finish: 'stop' });
  },
);

test('cached input tokens are part of the input tokens, and reasoning tokens are counted', () => {
  const counts = { inputTokens: 1000, outputTokens: 12, cachedInputTokens: 900, cacheWriteInputTokens: 0 };
  expect(read(recordedEvents('cache')).outcome).toMatchObject({ usage: { ...counts, reasoningTokens: 0 } });
  expect(read(recordedEvents('reasoning')).outcome).toMatchObject({ usage: { reasoningTokens: 7 } });
});

test('reasoning is no text', () => {
  const { events } = read(recordedEvents('reasoning'));
  expect(events[0]).toEqual({ type: 'reasoning', text: '**Thinking** about the answer.' });
});

test('several messages are joined by a blank line, and several thoughts too', () => {
  const thought = { type: 'item.completed', item: { type: 'reasoning', text: 'Hm.' } };
  const { events } = read([thought, message('ha'), tool('item.started'), tool(), thought, message('ha'), done]);
  expect(textOf(events)).toBe('ha\n\nha');
  expect(events.flatMap((event) => (event.type === 'reasoning' ? event.text : []))).toEqual(['Hm.', '\n\nHm.']);
});

test('what the model says before a tool runs is passed on when the tool starts', () => {
  expect(textOf(read([message('Looking.'), tool('item.started')]).events)).toBe('Looking.');
});

test('an answer that the CLI asks for again is said once', () => {
  expect(textOf(read([message('Hel'), again, message('Hello'), done]).events)).toBe('Hello');
  expect(textOf(read([message('Hello'), again, again, done]).events)).toBe('Hello');
  expect(textOf(read([again, message('one'), message('two'), done]).events)).toBe('one\n\ntwo');
  expect(textOf(read([message('one'), tool(), again, message('two'), done]).events)).toBe('one\n\ntwo');
});

test('nothing of an answer that failed in the end is passed on', () => {
  const { events, outcome } = read(recordedEvents('answer-repeated'));
  expect(events).toEqual([]);
  expect(outcome).toMatchObject({ report: { text: expect.stringMatching(/^stream disconnected/) } });
});

test('a complete message before a failed turn is no answer', () => {
  const { events, outcome } = read(recordedEvents('incomplete'));
  const text = 'Incomplete response returned, reason: max_output_tokens';
  expect([events, outcome]).toEqual([[], { type: 'failure', report: { text } }]);
});

test('warnings of the CLI are notes, neither content nor failures', () => {
  const { items, reader } = read(recordedEvents('ok'));
  expect(items).toEqual([{ item: 'warning', message: expect.stringContaining('Model metadata') }]);
  expect(reader.end()).toBeUndefined();
});

test('tools at work are notes without their output', () => {
  const { items, reader } = read(recordedEvents('tool'));
  const command = "/bin/bash -lc 'echo tool-ran'";
  expect(items.slice(1)).toEqual([
    { item: 'command_execution', stage: 'item.started', command, status: 'in_progress' },
    { item: 'command_execution', stage: 'item.completed', command, status: 'completed', exit_code: 0 },
  ]);
  expect(reader.hasActed).toBe(true);
});

test('an item of an unknown kind counts as a tool', () => {
  expect(read([tool('item.started', 'teleport')]).reader.hasActed).toBe(true);
});

test('a run that was stopped has neither an answer nor a failure', () => {
  const { events, outcome } = read(recordedEvents('sigterm'));
  expect([events, outcome]).toEqual([[], undefined]);
});

test.each([
  ['no object', [null, 5, [], 'text', undefined]],
  ['unknown types', [{ type: 'novelty' }, {}, { type: 5 }]],
  [
    'missing and wrong fields',
    [{ type: 'item.completed' }, { type: 'item.completed', item: 5 }, message(7), message('')],
  ],
])('%s is passed over', (_, events) => {
  expect(textOf(read([...events, message('Hi'), done]).events)).toBe('Hi');
});

test('counts that are no counts are not passed on', () => {
  const { outcome } = read([{ type: 'turn.completed', usage: { input_tokens: -1, output_tokens: 'many' } }]);
  expect(outcome).toEqual({ type: 'answer', finish: 'stop' });
});

test('a failure without words still is one', () => {
  const failure = (text: string) => ({ type: 'failure', report: { text } });
  expect(read([{ type: 'turn.failed' }]).outcome).toEqual(failure('the turn failed'));
  expect(read([{ type: 'error', message: 'why' }, { type: 'turn.failed' }]).outcome).toEqual(failure('why'));
});

test('a tool at work is told of once, with what it does', () => {
  const { events } = read([tool('item.started'), tool('item.updated'), tool(), done]);
  expect(events.filter(({ type }) => type === 'activity')).toEqual([
    { type: 'activity', tool: 'command_execution', detail: 'ls' },
  ]);
});

import { EventReader } from '../../../plugins/delta-cli/event-reader';
import { isHopeless, retryReason } from '../../../plugins/delta-cli/retry-notice';
import { readOutput } from '../recordings';

const read = (events: readonly unknown[]) => readOutput(new EventReader(false), events);

const message = (text: unknown) => ({ type: 'item.completed', item: { type: 'agent_message', text } });
const tool = (stage = 'item.completed', type = 'command_execution') => ({ type: stage, item: { type, command: 'ls' } });
const again = { type: 'error', message: 'Reconnecting... 1/5 (stream disconnected before completion: closed)' };
const done = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } };

test('several messages are joined by a blank line, and several thoughts too', () => {
  const thought = { type: 'item.completed', item: { type: 'reasoning', text: 'Hm.' } };
  const run = read([thought, message('ha'), tool('item.started'), tool(), thought, message('ha'), done]);
  expect([run.text, run.reasoning]).toEqual(['ha\n\nha', 'Hm.\n\nHm.']);
});

test('an answer that the CLI asks for again is said once', () => {
  expect(read([message('Hel'), again, message('Hello'), done]).text).toBe('Hello');
  expect(read([message('Hello'), again, again, done]).text).toBe('Hello');
  expect(read([again, message('one'), message('two'), done]).text).toBe('one\n\ntwo');
  expect(read([message('one'), tool(), again, message('two'), done]).text).toBe('one\n\ntwo');
});

test('an item of an unknown kind counts as a tool, which is told of once, with what it does', () => {
  const { events, reader } = read([tool('item.started', 'teleport'), tool('item.updated'), tool(), done]);
  expect(events).toEqual([{ type: 'activity', tool: 'teleport', detail: 'ls' }]);
  expect(reader.hasActed).toBe(true);
});

test.each([
  ['no object', [null, 5, [], 'text', undefined]],
  ['unknown types', [{ type: 'novelty' }, {}, { type: 5 }]],
  [
    'missing and wrong fields',
    [{ type: 'item.completed' }, { type: 'item.completed', item: 5 }, message(7), message('')],
  ],
])('%s is passed over', (_, events) => {
  expect(read([...events, message('Hi'), done]).text).toBe('Hi');
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

test.each([
  ['unexpected status 500 Internal Server Error', false, false],
  ['unexpected status 429 Too Many Requests', false, false],
  ['something new', false, false],
  // A proxy that forbids a WebSocket, or closes the direct way, leaves HTTP.
  ['unexpected status 403 Forbidden: no, url: wss://backend/v1/responses', false, false],
  ['unexpected status 403 Forbidden: no, url: https://backend/v1/responses', false, true],
  ['stream disconnected before completion: Connection refused (os error 111)', true, false],
  ['Connection failed: error sending request', true, true],
])('after "%s", with a proxy %s, trying again is in vain: %s', (reason, usesProxy, expected) => {
  expect(isHopeless(reason, usesProxy)).toBe(expected);
});

test('a notice without a reason, and one of an unknown form, are notices', () => {
  expect(retryReason('Reconnecting... 1/5')).toBe('Reconnecting... 1/5');
  expect(isHopeless(retryReason('Reconnecting... waiting for network')!, false)).toBe(true);
  expect(retryReason('We lost the connection')).toBeUndefined();
});

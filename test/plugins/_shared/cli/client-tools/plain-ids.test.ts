import type { Message } from 'drivebay/plugin';
import { withPlainIds } from '../../../../../plugins/_shared/cli/client-tools/plain-ids';
import { call, calls, result, says } from '../../../messages';

/** The ids of all calls and results, in their order. */
const idsIn = (messages: readonly Message[]): string[] =>
  withPlainIds(messages).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : part.type === 'tool_result' ? [part.callId] : [])),
  );

/** A turn of the model that calls tools with these ids, and their results. */
const turn = (...ids: string[]): Message[] => [
  calls(...ids.map((id) => call(id))),
  ...ids.map((id) => result(id, `of ${id}`)),
];

test('ids that every program takes stay as they are', () => {
  const messages = [says('user', 'Go'), ...turn('call_a', 'toolu-B'), says('user', 'On')];
  expect(withPlainIds(messages)).toEqual(messages);
});

test('calls of two turns with one id are told apart, each with its result', () => {
  expect(idsIn([...turn('call_0', 'call_1'), ...turn('call_0'), ...turn('call_0')])).toEqual([
    ...['call_0', 'call_1', 'call_0', 'call_1', 'call_0-2', 'call_0-2', 'call_0-3', 'call_0-3'],
  ]);
});

test('so are calls of one turn, whose results come in their order', () => {
  expect(idsIn(turn('same', 'same'))).toEqual(['same', 'same-2', 'same', 'same-2']);
});

test('a result belongs to the latest call of its id, where an earlier one was never answered', () => {
  expect(idsIn([calls(call('a')), says('user', 'No'), ...turn('a')])).toEqual(['a', 'a-2', 'a-2']);
});

test('the calls of one answer may be in several messages', () => {
  const messages = [calls(call('a')), calls(call('b')), result('b', '2'), result('a', '1')];
  expect(idsIn(messages)).toEqual(['a', 'b', 'b', 'a']);
});

test('an id with other characters, a long one and none become plain ones', () => {
  const long = 'x'.repeat(65);
  expect(idsIn([...turn('functions.look:0'), ...turn('functions-look|0', '')])).toEqual([
    ...['functions_look_0', 'functions_look_0', 'functions-look_0', 'call', 'functions-look_0', 'call'],
  ]);
  expect(idsIn([...turn('a:1'), ...turn('a_1', long, `${long}y`)])).toEqual([
    ...['a_1', 'a_1', 'a_1-2', 'x'.repeat(56), `${'x'.repeat(56)}-2`],
    ...['a_1-2', 'x'.repeat(56), `${'x'.repeat(56)}-2`],
  ]);
});

test('an id is not another one with a number: a program would take the two for one', () => {
  expect(idsIn([...turn('look'), ...turn('look_1')])).toEqual(['look', 'look', 'look_1-2', 'look_1-2']);
  expect(idsIn([...turn('look_1'), ...turn('look')])).toEqual(['look_1', 'look_1', 'look-2', 'look-2']);
  expect(idsIn([...turn('look_1'), ...turn('look_2')])).toEqual(['look_1', 'look_1', 'look_2', 'look_2']);
});

test('a result without a call keeps its id', () => {
  expect(idsIn([...turn('a'), result('a', 'again'), result('b:1', 'foreign')])).toEqual(['a', 'a', 'a', 'b:1']);
});

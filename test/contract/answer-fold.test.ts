import type { ChatEvent } from '../../core/contract/api';
import { AnswerFold } from '../../core/contract/answer-fold';

type ToolCallEvent = Omit<Extract<ChatEvent, { type: 'tool_call' }>, 'type'>;

const folded = (...pieces: ToolCallEvent[]) => {
  const fold = new AnswerFold();
  for (const piece of pieces) fold.add({ type: 'tool_call', ...piece });
  return fold.toolCalls((index) => `made-${index}`);
};
const call = { type: 'tool_call', id: 'a', name: 'f', arguments: '' };

test('pieces of an index are one call, in the order of the indexes', () => {
  expect(
    folded(
      { index: 2, id: 'b', name: 'g' },
      { index: 1, id: 'a', name: 'f', arguments: '{"x":' },
      { index: 2, arguments: '{}' },
      { index: 1, arguments: '1}' },
    ),
  ).toStrictEqual([
    { ...call, arguments: '{"x":1}' },
    { ...call, id: 'b', name: 'g', arguments: '{}' },
  ]);
});

test('the first id and the first name of a call count', () => {
  expect(
    folded({ index: 0, id: '' }, { index: 0, id: 'a', name: 'f' }, { index: 0, id: 'b', name: 'g' }),
  ).toStrictEqual([call]);
});

test('a call without an id gets one', () => {
  expect(folded({ index: 3, name: 'f' })).toStrictEqual([{ ...call, id: 'made-3' }]);
});

test('further fields are merged, and the pieces stay as they are', () => {
  const extra = { signature: 'ab', more: { one: 1 } };
  const both = folded(
    { index: 0, id: 'a', name: 'f', extra },
    { index: 0, extra: { signature: 'cd', more: { two: 2 } } },
  );
  expect(both).toStrictEqual([{ ...call, extra: { signature: 'abcd', more: { one: 1, two: 2 } } }]);
  expect(extra).toEqual({ signature: 'ab', more: { one: 1 } });
});

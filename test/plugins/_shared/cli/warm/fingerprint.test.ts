import type { Message, Part } from 'drivebay/plugin';
import { marksOf } from '../../../../../plugins/_shared/cli/warm/fingerprint';

const message = (role: Message['role'], ...parts: (string | Part)[]): Message => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});
const call = (args: string): Part => ({ type: 'tool_call', id: 'c1', name: 'look', arguments: args });

const first = [message('system', 'S'), message('user', 'One')];
const next = (answer: Message, ...tail: Message[]) => marksOf([...first, answer, ...tail], ['m']);
const expected = marksOf(first, ['m']).after({
  text: 'Yes',
  calls: [{ id: 'c1', name: 'look', arguments: '{"a":1}' }],
});

test('the next request of a conversation has the mark that was foretold, however its client spells it', () => {
  const spellings = [
    message('assistant', 'Yes', call('{"a":1}')),
    message('assistant', 'Y', 'es', call('{ "a": 1 }')),
    message(
      'assistant',
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Yes', extra: { cache: 1 } },
      call('{"a":1}'),
    ),
  ];
  for (const answer of spellings) expect(next(answer, message('user', 'Two')).before).toBe(expected);
});

test.each([
  ['another text', message('assistant', 'No', call('{"a":1}'))],
  ['other arguments', message('assistant', 'Yes', call('{"a":2}'))],
  ['no call', message('assistant', 'Yes')],
])('%s is another conversation', (_name, answer) => {
  expect(next(answer, message('user', 'Two')).before).not.toBe(expected);
});

test('another setting, or another beginning, is another conversation', () => {
  const answer = message('assistant', 'Yes', call('{"a":1}'));
  expect(marksOf([...first, answer], ['other']).before).not.toBe(expected);
  expect(marksOf([message('system', 'T'), first[1]!, answer], ['m']).before).not.toBe(expected);
});

test('what is new is all that comes after the last answer', () => {
  const tail = [message('tool', { type: 'tool_result', callId: 'c1', content: [] }), message('user', 'Two')];
  expect(next(message('assistant', 'Yes'), ...tail).tail).toEqual(tail);
  expect(marksOf(first, [])).toMatchObject({ before: undefined, tail: first });
});

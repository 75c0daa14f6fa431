import type { Message, Part } from 'drivebay/plugin';
import { assistantLine, toTurns, userLine } from '../../../plugins/alpha-cli/history';

const message = (role: Message['role'], ...parts: (string | Part)[]): Message => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});
const call = (id: string, args = '{}'): Part => ({ type: 'tool_call', id, name: 'look', arguments: args });
const result = (callId: string, text: string): Message =>
  message('tool', { type: 'tool_result', callId, content: [{ type: 'text', text }] });

const turns = (...messages: Message[]) => toTurns(messages, (name) => name.toUpperCase());

test('messages of one side are one turn, calls and results are blocks, and system messages stand elsewhere', () => {
  const found = turns(
    message('system', 'S'),
    message('user', '/a'),
    message('user', 'b'),
    message('assistant', { type: 'reasoning', text: 'Hm' }, 'Let me', call('c1', '{"x":1}'), call('c2')),
    result('c1', 'one'),
    result('c2', 'two'),
    message('user', 'go on'),
  );
  const text = (value: string) => ({ type: 'text', text: value });
  expect(found).toEqual([
    { role: 'user', content: [text('\n/a'), text('b')] },
    {
      role: 'assistant',
      content: [
        text('Let me'),
        { type: 'tool_use', id: 'c1', name: 'LOOK', input: { x: 1 } },
        { type: 'tool_use', id: 'c2', name: 'LOOK', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: [text('one')] },
        { type: 'tool_result', tool_use_id: 'c2', content: [text('two')] },
        text('go on'),
      ],
    },
  ]);
});

test.each<[string, Message[]]>([
  ['a beginning that is the model’s', [message('assistant', 'Hi'), message('user', 'a')]],
  ['an end that is the model’s', [message('user', 'a'), message('assistant', 'Hi')]],
  ['a call without its result', [message('user', 'a'), message('assistant', call('c1')), message('user', 'b')]],
  ['a result without its call', [message('user', 'a'), message('assistant', 'Hi'), result('c1', 'x')]],
  ['arguments that are no JSON', [message('user', 'a'), message('assistant', call('c1', '{')), result('c1', 'x')]],
  ['a name, which turns have not', [{ ...message('user', 'a'), name: 'Ann' }]],
  ['an image', [message('user', { type: 'image', url: 'data:,' })]],
  ['an empty message', [message('user', '')]],
  ['nothing but a system message', [message('system', 'S')]],
])('%s fits no turns', (_name, messages) => {
  expect(turns(...messages)).toBeUndefined();
});

test('each line of the model has an id of its own, and only the last line of the user asks', () => {
  const turn = { role: 'assistant' as const, content: [] };
  const ids = [assistantLine(turn, 'm'), assistantLine(turn, 'm')].map(({ message }) => (message as { id: string }).id);
  expect(new Set(ids).size).toBe(2);
  expect([userLine(turn, false).shouldQuery, userLine(turn, true).shouldQuery]).toEqual([false, undefined]);
});

import type { Message, Part } from 'drivebay/plugin';
import { assistantLine, toTurns, userLine } from '../../../plugins/alpha-cli/history';

const message = (role: Message['role'], ...parts: (string | Part)[]): Message => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});
const call = (id: string, args = '{}'): Part => ({ type: 'tool_call', id, name: 'look', arguments: args });
const result = (callId: string, text: string): Message =>
  message('tool', { type: 'tool_result', callId, content: [{ type: 'text', text }] });

const turns = (...messages: Message[]) => toTurns(messages);

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
        { type: 'tool_use', id: 'c1', name: 'look', input: { x: 1 } },
        { type: 'tool_use', id: 'c2', name: 'look', input: {} },
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

test('a text of white space is left out, because the API refuses it', () => {
  const [, , user] = turns(message('user', 'a', ' '), message('assistant', call('c1')), result('c1', '\n'))!;
  expect(user!.content).toEqual([{ type: 'tool_result', tool_use_id: 'c1', content: [] }]);
});

test('images are blocks, in results as well', () => {
  const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;
  const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
  const shown = message('tool', { type: 'tool_result', callId: 'c1', content: [image] });
  const far = { type: 'image', url: 'https://pictures.test/1.png' } as const;
  expect(turns(message('user', image, far), message('assistant', call('c1')), shown)).toMatchObject([
    {
      content: [
        { type: 'image', source },
        { type: 'image', source: { type: 'url', url: far.url } },
      ],
    },
    { role: 'assistant' },
    { content: [{ type: 'tool_result', content: [{ type: 'image', source }] }] },
  ]);
});

test('what a user says before the results of the calls stands behind them', () => {
  const [, , user] = turns(
    message('user', 'a'),
    message('assistant', 'Let me', call('c1'), call('c2')),
    message('user', 'and then?'),
    result('c1', 'one'),
    message('user', 'hurry'),
    result('c2', 'two'),
  )!;
  expect(user!.content.map(({ text, tool_use_id: id }) => text ?? id)).toEqual(['c1', 'c2', 'and then?', 'hurry']);
});

test('only what a user says by itself could be a command', () => {
  const path = [message('user', 'a'), message('assistant', '/x', call('c1')), result('c1', '/home')];
  expect(JSON.stringify(turns(...path))).not.toContain('\\n');
});

test.each<[string, Message[]]>([
  ['a beginning that is the model’s', [message('assistant', 'Hi'), message('user', 'a')]],
  ['an end that is the model’s', [message('user', 'a'), message('assistant', 'Hi')]],
  ['a call without its result', [message('user', 'a'), message('assistant', call('c1')), message('user', 'b')]],
  ['a result without its call', [message('user', 'a'), message('assistant', 'Hi'), result('c1', 'x')]],
  ['arguments that are no JSON', [message('user', 'a'), message('assistant', call('c1', '{')), result('c1', 'x')]],
  ['a name, which turns have not', [{ ...message('user', 'a'), name: 'Ann' }]],
  ['an image without content', [message('user', { type: 'image', url: 'data:,' })]],
  ['a file', [message('user', { type: 'file', data: 'data:text/plain;base64,YQ==' })]],
  ['an empty message', [message('user', '')]],
  ['a message of white space', [message('user', ' \n')]],
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

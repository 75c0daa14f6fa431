import type { Message } from 'drivebay/plugin';
import { resultItems, toHistory } from '../../../plugins/delta-cli/history';
import { call, calls, result, says } from '../messages';

const said = (role: string, text: string) => ({
  ...{ type: 'message', role },
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const;

test('what the system says first are instructions, and what it says later is said by the developer', () => {
  expect(
    toHistory([
      says('system', 'One'),
      says('developer', 'Two'),
      says('user', 'Hi'),
      says('system', 'Three'),
      says('user', 'Go'),
    ]),
  ).toEqual({
    ...{ instructions: 'One\n\nTwo', items: [said('user', 'Hi'), said('developer', 'Three')] },
    input: [{ type: 'text', text: 'Go' }],
  });
  expect(toHistory([says('user', 'Hi', '', 'Ho')])).toEqual({
    ...{ instructions: undefined, items: [] },
    input: [
      { type: 'text', text: 'Hi' },
      { type: 'text', text: 'Ho' },
    ],
  });
});

test('calls and results are items, and a conversation may end in them', () => {
  const thought = { type: 'reasoning', text: 'Hm' } as const;
  expect(
    toHistory([says('user', 'Go'), calls(thought, call('a'), call('b')), result('b', '2'), result('a', '')]),
  ).toEqual({
    instructions: undefined,
    items: [
      said('user', 'Go'),
      ...['a', 'b'].map((id) => ({ type: 'function_call', name: 'f', arguments: `{"of":"${id}"}`, call_id: id })),
      { type: 'function_call_output', call_id: 'b', output: '2' },
      { type: 'function_call_output', call_id: 'a', output: '' },
    ],
    input: [],
  });
});

test('the name of a tool beside its result changes nothing', () => {
  const asked = [says('user', 'Go'), calls(call('a'))];
  const named: Message = { ...result('a', '1'), name: 'f' };
  for (const later of [[], [says('user', 'On')]]) {
    const plain = toHistory([...asked, result('a', '1'), ...later]);
    expect(plain).toBeDefined();
    expect(toHistory([...asked, named, ...later])).toEqual(plain);
  }
});

test('images reach the model from the user and from tools', () => {
  const shown: Message = { role: 'tool', parts: [{ type: 'tool_result', callId: 'a', content: [image] }] };
  const messages: Message[] = [
    { role: 'user', parts: [image] },
    calls(call('a')),
    shown,
    { role: 'user', parts: [image] },
  ];
  expect(toHistory(messages)).toMatchObject({
    items: [
      { content: [{ type: 'input_image', image_url: image.url }] },
      { type: 'function_call' },
      { type: 'function_call_output', output: [{ type: 'input_image', image_url: image.url }] },
    ],
    input: [{ type: 'image', url: image.url }],
  });
  expect(resultItems({ type: 'tool_result', callId: 'a', content: [{ type: 'text', text: '' }, image] })).toEqual([
    { type: 'inputText', text: '' },
    { type: 'inputImage', imageUrl: image.url },
  ]);
});

test.each<[string, Message[]]>([
  ['an answer at its end', [says('user', 'Hi'), says('assistant', 'Ho')]],
  ['a participant with a name', [{ ...says('user', 'Hi'), name: 'Ann' }]],
  ['a named one before', [{ ...says('user', 'Hi'), name: 'Ann' }, says('user', 'Go')]],
  ['nothing but instructions', [says('system', 'Hi')]],
  ['a file', [{ role: 'user', parts: [{ type: 'file', id: 'f' }] }]],
])('a conversation with %s fits no turns', (_name, messages) => {
  expect(toHistory(messages)).toBeUndefined();
});

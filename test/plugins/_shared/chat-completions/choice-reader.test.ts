import type { ChatEvent } from 'drivebay/plugin';
import { ChoiceReader } from '../../../../plugins/_shared/chat-completions/choice-reader';

test.each([
  ['stop', true, false, 'stop'],
  ['STOP', true, false, 'stop'],
  ['eos', true, false, 'stop'],
  ['end_turn', true, false, 'stop'],
  ['max_tokens', true, false, 'length'],
  ['length', false, false, 'length'],
  ['stop', false, true, 'tool_calls'],
  ['length', false, true, 'length'],
  ['function_call', false, false, 'tool_calls'],
  ['safety', false, false, 'content_filter'],
  ['whatever', true, false, 'stop'],
  ['whatever', false, true, 'tool_calls'],
  ['whatever', false, false, undefined],
  ['constructor', false, false, undefined],
  ['error', true, false, undefined],
  ['insufficient_system_resource', true, false, undefined],
])('%s with content %p and tool calls %p is %p', (word, hasContent, hasToolCalls, reason) => {
  const choice = new ChoiceReader(0, false, false);
  const delta = {
    content: hasContent ? 'x' : null,
    tool_calls: hasToolCalls ? [{ id: 'c', function: { name: 'f' } }] : [],
  };
  choice.read({ delta, finish_reason: word }, []);
  expect(choice.finishReason()).toBe(reason);
});

describe('a call by its first name', () => {
  const pieces = [
    { delta: { function_call: { name: 'f', arguments: '' } } },
    { delta: { function_call: { name: 'f', arguments: '{"x":' } } },
    { delta: { function_call: { arguments: '1}' } } },
    { delta: {}, finish_reason: 'function_call' },
  ];
  const whole = [{ message: { function_call: { name: 'f', arguments: '{"x":1}' } }, finish_reason: 'function_call' }];
  const read = (choices: Record<string, unknown>[], hasTools: boolean) => {
    const reader = new ChoiceReader(0, false, hasTools);
    const events: ChatEvent[] = [];
    for (const choice of choices) reader.read(choice, events);
    reader.complete(events);
    return { events, reason: reader.finishReason() };
  };

  test.each([
    ['in pieces', pieces],
    ['whole', whole],
  ])('is one as others, for a client that offers tools: %s', (_, choices) => {
    const { events, reason } = read(choices, true);
    const calls = events.filter((event) => event.type === 'tool_call');
    expect(calls).toHaveLength(events.length);
    expect(calls[0]).toMatchObject({ index: 0, id: expect.stringMatching(/^call_/), name: 'f' });
    expect(calls.map((call) => call.arguments ?? '').join('')).toBe('{"x":1}');
    expect(reason).toBe('tool_calls');
  });

  test('stays as it is for a client that knows it by that name', () => {
    const { events } = read(pieces, false);
    expect(events).toEqual(pieces.slice(0, 3).map(({ delta }) => ({ type: 'extra', delta })));
  });
});

describe('a message beside a delta', () => {
  const textOf = (...choices: Record<string, unknown>[]) => {
    const reader = new ChoiceReader(0, false, false);
    const events: ChatEvent[] = [];
    for (const choice of choices) reader.read(choice, events);
    return events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  };
  const message = { role: 'assistant', content: 'Hello' };

  test('counts at the end, where no delta has said anything', () => {
    expect(textOf({ delta: { role: 'assistant', content: '' }, message, finish_reason: 'stop' })).toEqual(['Hello']);
  });

  test('does not count behind deltas, or before their end', () => {
    const deltas = [{ delta: { content: 'Hel' }, message }, { delta: { content: 'lo' } }];
    expect(textOf(...deltas, { delta: {}, message, finish_reason: 'stop' })).toEqual(['Hel', 'lo']);
    expect(textOf({ delta: { role: 'assistant' }, message, finish_reason: null })).toEqual([]);
  });
});

import type { ChatRequest, Message } from '../../core/contract/api';
import { Redactor } from '../../core/contract/redact';
import { CallContent } from '../../core/record/call-content';

const KEY = 'sk-very-secret-0123456789';
const redactor = new Redactor();
redactor.add(KEY);

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

function ask(messages: Message[], more: Partial<ChatRequest> = {}) {
  const facts = new CallContent(redactor).asked({ stream: false, messages, extra: {}, ...more });
  const read = (name: string) => facts[name] && (JSON.parse(facts[name] as string) as Record<string, unknown>[]);
  return {
    input: read('gen_ai.input.messages') as { role: string; parts: Record<string, unknown>[] }[],
    system: read('gen_ai.system_instructions'),
    isCut: facts['drivebay.content_cut'],
    size: JSON.stringify(facts).length,
  };
}

test('a conversation with tools is written as the conventions have it', () => {
  const messages: Message[] = [
    { role: 'system', parts: [{ type: 'text', text: 'be brief' }] },
    user('what is the weather?'),
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'look it up' },
        { type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'call_1', content: [{ type: 'text', text: 'rain' }] }] },
  ];
  const rest = [
    { role: 'user', parts: [{ type: 'text', content: 'what is the weather?' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'look it up' },
        { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris' } },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: 'rain' }] },
  ];
  const system = { type: 'text', content: 'be brief' };
  expect(ask(messages)).toMatchObject({ input: [{ role: 'system', parts: [system] }, ...rest], isCut: undefined });
  expect(ask(messages).system).toBeUndefined();
  // The API of the client has a place of its own for instructions.
  const origin = { api: 'messages', body: {} } as unknown as NonNullable<ChatRequest['origin']>;
  expect(ask(messages, { origin })).toMatchObject({ input: rest, system: [system] });
});

test('no span holds the bytes of an image, a sound or a file', () => {
  const bytes = 'QUJD'.repeat(10_000);
  const { input, size } = ask([
    {
      role: 'user',
      parts: [
        { type: 'image', url: `data:image/png;base64,${bytes}` },
        { type: 'image', url: 'https://example.com/a.png' },
        { type: 'audio', data: bytes, format: 'wav' },
        { type: 'file', data: `data:application/pdf;base64,${bytes}`, filename: 'a.pdf' },
        { type: 'file', id: 'file-1' },
        { type: 'other', value: { type: 'video', data: bytes } },
      ],
    },
  ]);
  expect(size).toBeLessThan(1_000);
  expect(input[0]!.parts.map(({ type }) => type)).toEqual(['image', 'uri', 'audio', 'document', 'file', 'other']);
});

test('of a long conversation the last messages stay, and a long text is cut; a key on the border is not', () => {
  const { input, isCut, size } = ask([
    ...Array.from({ length: 1_000 }, (_, at) => user(`message ${at}`)),
    user('last'),
  ]);
  expect([input.at(-1)!.parts[0]!.content, isCut]).toEqual(['last', true]);
  expect(input[0]!.parts[0]!.content).not.toBe('message 0');
  expect(size).toBeLessThan(100_000);
  for (let before = 8_192 - KEY.length - 2; before < 8_194; before += 1) {
    const text = JSON.stringify(ask([user(`${'x'.repeat(before)}${KEY}${'y'.repeat(20_000)}`)]).input);
    expect(text).not.toMatch(/sk-|0123/);
    expect(text.length).toBeLessThan(8_400);
  }
});

test('ids and names are cut, counted and without keys, and arguments with an escaped key, too', () => {
  const long = `${KEY}${'x'.repeat(20_000)}`;
  const escaped = `{"${KEY}":[{"key":"\\u0073${KEY.slice(1)}"}]}`;
  const { input, isCut, size } = ask([
    {
      role: 'assistant',
      name: long,
      parts: [
        { type: 'tool_call', id: long, name: 'f', arguments: escaped },
        { type: 'tool_result', callId: long, content: [{ type: 'text', text: 'rain' }] },
      ],
    },
  ]);
  expect(JSON.stringify(input)).not.toContain(KEY.slice(2));
  expect([isCut, size < 30_000]).toEqual([true, true]);
  expect(input[0]!.parts[0]!.arguments).toEqual({ '[redacted]': [{ key: '[redacted]' }] });
});

test('an answer is a message for each choice, also one that was cut off, and no longer than a span may be', () => {
  const content = new CallContent(redactor);
  expect(content.said()).toEqual({});
  content.take({ type: 'text', text: `the key is ${KEY.slice(0, 10)}` });
  content.take({ type: 'text', text: KEY.slice(10) });
  content.take({ type: 'tool_call', index: 0, id: 'c', name: 'f', arguments: '{"a":' });
  content.take({ type: 'tool_call', index: 0, arguments: '1}' });
  content.take({ type: 'finish', reason: 'tool_calls' });
  content.take({ type: 'text', text: 'half', choice: 1 });
  expect(JSON.parse(content.said()['gen_ai.output.messages'] as string)).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'the key is [redacted]' },
        { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
      ],
      finish_reason: 'tool_call',
    },
    { role: 'assistant', parts: [{ type: 'text', content: 'half' }], finish_reason: 'error' },
  ]);
  for (let at = 0; at < 10_000; at += 1) content.take({ type: 'text', text: 'x'.repeat(100) });
  const facts = content.said();
  expect([JSON.stringify(facts).length < 20_000, facts['drivebay.content_cut']]).toEqual([true, true]);
});

test('arguments and result of a tool call are texts, without keys and cut', () => {
  const content = new CallContent(redactor);
  expect(content.called(`{"key":"${KEY}"}`)).toEqual({ 'gen_ai.tool.call.arguments': '{"key":"[redacted]"}' });
  expect(content.called('{"cut')).toEqual({ 'gen_ai.tool.call.arguments': '{"cut' });
  const image = { type: 'image', url: 'data:image/png;base64,AAAA' } as const;
  expect(content.returned([{ type: 'text', text: KEY }, image])).toEqual({
    'gen_ai.tool.call.result':
      '[{"type":"text","content":"[redacted]"},{"type":"image","mime_type":"image/png","characters":26}]',
  });
  const long = content.returned([{ type: 'text', text: 'a'.repeat(50_000) }]);
  expect(long).toEqual({ 'gen_ai.tool.call.result': 'a'.repeat(8_192), 'drivebay.content_cut': true });
});

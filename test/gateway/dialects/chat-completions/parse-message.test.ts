import { parseMessage } from '../../../../core/gateway/dialects/chat-completions/parse-message';

test.each(['system', 'developer', 'user', 'assistant'])('a text of role %s', (role) => {
  expect(parseMessage({ role, content: 'Hi' }, 0)).toEqual({ role, parts: [{ type: 'text', text: 'Hi' }] });
});

test('parts keep their order and what is not known about them', () => {
  const content = [
    { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
    { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
    { type: 'file', file: { file_id: 'f-1', filename: 'x.pdf' } },
    { type: 'video', video: 'x' },
  ];
  expect(parseMessage({ role: 'user', content, name: 'ann' }, 0)).toEqual({
    role: 'user',
    name: 'ann',
    parts: [
      { type: 'text', text: 'a', extra: { prompt_cache_breakpoint: { mode: 'explicit' } } },
      { type: 'image', url: 'data:image/png;base64,AA', detail: 'low' },
      { type: 'audio', data: 'AA', format: 'wav' },
      { type: 'file', id: 'f-1', filename: 'x.pdf' },
      { type: 'other', value: { type: 'video', video: 'x' } },
    ],
  });
});

test.each([
  ['JVBERi0xLjQ=', 'data:application/pdf;base64,JVBERi0xLjQ='],
  ['AAAA', 'data:application/octet-stream;base64,AAAA'],
  ['data:text/plain;base64,AA', 'data:text/plain;base64,AA'],
  ['https://x/a.pdf', 'https://x/a.pdf'],
])('a file may come with and without its media type: %s', (file_data, data) => {
  const content = [{ type: 'file', file: { file_data, filename: 'a.pdf' } }];
  expect(parseMessage({ role: 'user', content }, 0).parts).toEqual([{ type: 'file', data, filename: 'a.pdf' }]);
});

test('an assistant message has its reasoning first, then text, then calls', () => {
  const message = {
    role: 'assistant',
    content: 'text',
    reasoning_content: 'why',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: { g: 1 } }],
    refusal: null,
  };
  expect(parseMessage(message, 0)).toEqual({
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'why' },
      { type: 'text', text: 'text' },
      { type: 'tool_call', id: 'c', name: 'f', arguments: '{}', extra: { extra_content: { g: 1 } } },
    ],
  });
});

test('both spellings of reasoning at once are one', () => {
  const parsed = parseMessage({ role: 'assistant', content: null, reasoning: 'why', reasoning_content: 'why' }, 0);
  expect(parsed).toEqual({ role: 'assistant', parts: [{ type: 'reasoning', text: 'why' }] });
});

test('an assistant message without content has no parts', () => {
  expect(parseMessage({ role: 'assistant', content: null }, 0).parts).toEqual([]);
  expect(parseMessage({ role: 'assistant' }, 0).parts).toEqual([]);
});

test('calls of another kind stay in the message as they are', () => {
  const calls = [{ id: 'c', type: 'custom', custom: { name: 'x', input: 'y' } }];
  expect(parseMessage({ role: 'assistant', content: null, tool_calls: calls }, 0)).toEqual({
    role: 'assistant',
    parts: [],
    extra: { tool_calls: calls },
  });
});

test('a tool message is one result, of a text or of parts', () => {
  const result = { type: 'tool_result', callId: 'c', content: [{ type: 'text', text: '42' }] };
  expect(parseMessage({ role: 'tool', tool_call_id: 'c', content: '42' }, 0).parts).toEqual([result]);
  const parts = [{ type: 'text', text: '42' }];
  expect(parseMessage({ role: 'tool', tool_call_id: 'c', content: parts }, 0).parts).toEqual([result]);
});

test('unknown fields of a message are kept', () => {
  expect(parseMessage({ role: 'user', content: 'x', cache_control: { type: 'ephemeral' } }, 0).extra).toEqual({
    cache_control: { type: 'ephemeral' },
  });
});

test.each<[unknown, string]>([
  ['x', 'messages[3]'],
  [null, 'messages[3]'],
  [{}, 'messages[3].role'],
  [{ role: 'robot', content: 'x' }, 'messages[3].role'],
  [{ role: 'toString', content: 'x' }, 'messages[3].role'],
  [{ role: 'user' }, 'messages[3].content'],
  [{ role: 'user', content: null }, 'messages[3].content'],
  [{ role: 'user', content: 5 }, 'messages[3].content'],
  [{ role: 'user', content: 'x', name: 5 }, 'messages[3].name'],
  [{ role: 'user', content: ['x'] }, 'messages[3].content[0]'],
  [{ role: 'user', content: [{}] }, 'messages[3].content[0].type'],
  [{ role: 'user', content: [{ type: 'text' }] }, 'messages[3].content[0].text'],
  [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }, 'messages[3].content[0].image_url'],
  [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }, 'messages[3].content[0].image_url.url'],
  [
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'x' } }] },
    'messages[3].content[0].input_audio.format',
  ],
  [{ role: 'user', content: [{ type: 'file' }] }, 'messages[3].content[0].file'],
  [{ role: 'tool', content: 'x' }, 'messages[3].tool_call_id'],
  [{ role: 'assistant', tool_calls: {} }, 'messages[3].tool_calls'],
  [{ role: 'assistant', tool_calls: [{ id: 'c', function: {} }] }, 'messages[3].tool_calls[0].function.name'],
  [{ role: 'assistant', tool_calls: [{ function: { name: 'f' } }] }, 'messages[3].tool_calls[0].id'],
  [
    { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }] },
    'messages[3].tool_calls[0].function.arguments',
  ],
])('%j is refused as %s', (message, param) => {
  const refusal = { status: 400, code: 'invalid_request', param, message: expect.stringContaining(param) };
  expect(() => parseMessage(message, 3)).toThrow(expect.objectContaining(refusal));
});

test('a field that is null counts as absent', () => {
  const message = {
    role: 'assistant',
    content: 'Hi',
    name: null,
    tool_calls: null,
    reasoning_content: null,
    odd: null,
  };
  expect(parseMessage(message, 0)).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] });
});

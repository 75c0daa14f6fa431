import type { ChatRequest, ContentPart, Message } from 'drivebay/plugin';
import { DriverError } from '../../../../core/contract/driver-error';
import { toPlainRequest } from '../../../../plugins/_shared/chat-completions/plain-request';
import { chatRequest } from '../../harness';
import { call, calls, result, says, text } from '../../messages';

const origin = { api: 'messages' as const, body: {}, headers: {} };
const image: ContentPart = { type: 'image', url: 'data:image/png;base64,AA==' };
const marked = { cache_control: { type: 'ephemeral' } };

function plain(fields: Partial<ChatRequest>, ignored: string[] = []): ChatRequest {
  return toPlainRequest(chatRequest(fields), ignored, (...parts) => new DriverError(...parts));
}

const answered = (callId: string, ...content: ContentPart[]): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_result', callId, content }],
});

test('a request of chat completions stays as it is', () => {
  const extra = { metadata: { a: 'b' }, thinking: {} };
  const request = chatRequest({
    messages: [{ ...says('user', 'a', 'b'), extra: marked }],
    extra,
    tools: [{ name: 'f', raw: { type: 'x' } }],
  });
  expect(toPlainRequest(request, [], (...parts) => new DriverError(...parts))).toBe(request);
});

describe('images in the results of tools', () => {
  test('go into a user’s message behind all results of the turn', () => {
    const shot = answered('a', { type: 'text', text: 'Taken' }, image);
    const { messages } = plain({ messages: [calls(call('a'), call('b')), shot, result('b', 'r'), calls(call('c'))] });
    expect(messages).toEqual([
      calls(call('a'), call('b')),
      result('a', 'Taken'),
      result('b', 'r'),
      { role: 'user', parts: [text('Result of the tool call a:'), image] },
      calls(call('c')),
    ]);
  });

  test('join what the user says there, and leave a word where they stood', () => {
    const { messages } = plain({ messages: [answered('a', image), says('user', 'Well?')] });
    expect(messages).toEqual([
      result('a', 'The result is in the next user message.'),
      { role: 'user', parts: [text('Result of the tool call a:'), image, text('Well?')] },
    ]);
    expect(plain({ messages: [answered('a', image)] }).messages.at(-1)!.role).toBe('user');
  });
});

describe('of a request in another wire', () => {
  test('the address of a file is a text, because no server fetches it', () => {
    const file: ContentPart = { type: 'file', data: 'https://x/a.pdf' };
    const { messages } = plain({ origin, messages: [{ role: 'user', parts: [file] }] });
    expect(messages[0]!.parts).toEqual([text('[a document at https://x/a.pdf]')]);
  });

  test('nothing of that wire is left', () => {
    const foreign = [
      'cache_control',
      'context_management',
      'metadata',
      'thinking',
      'output_config',
      'client_metadata',
      'store',
      'include',
    ];
    const extra = { ...Object.fromEntries(foreign.map((name) => [name, {}])), top_k: 4, parallel_tool_calls: false };
    const messages: Message[] = [
      { role: 'system', parts: [text('a', marked), text('b')], extra: marked },
      { role: 'user', parts: [text('c'), { ...image, extra: marked }] },
      calls({ type: 'reasoning', text: 'hm', extra: { signature: 's' } }, call('1', 'f', { of: 'ours' })),
      { ...answered('1', { type: 'text', text: 'r', extra: marked }), extra: { is_error: false } },
    ];
    const tools = [{ name: 'f', parameters: { type: 'object' }, raw: { name: 'f', input_schema: {}, ...marked } }];
    const request = plain({ origin, messages, tools, extra });
    expect(request.extra).toEqual({ top_k: 4, parallel_tool_calls: false });
    expect(request.tools).toEqual([{ name: 'f', parameters: { type: 'object' } }]);
    expect(request.messages).toEqual([
      says('system', 'a\n\nb'),
      { role: 'user', parts: [text('c'), image] },
      calls({ type: 'reasoning', text: 'hm', extra: { signature: 's' } }, call('1', 'f', { of: 'ours' })),
      result('1', 'r'),
    ]);
  });

  test.each([
    ['it did', 'Error:\n\nit did'],
    ['Exit code 3', 'Exit code 3'],
    ['permission denied', 'permission denied'],
  ])('a failed tool that says "%s" is known as one', (said, expected) => {
    const { messages } = plain({ origin, messages: [{ ...result('1', said), extra: { is_error: true } }] });
    expect(messages).toEqual([result('1', expected)]);
  });

  test('tools that their vendor runs are left out, and named', () => {
    const search = { name: 'web_search', raw: { type: 'web_search_20250305', name: 'web_search' } };
    const ignored: string[] = [];
    const request = plain(
      { origin, tools: [{ name: 'f', parameters: {} }, search], toolChoice: { type: 'auto' } },
      ignored,
    );
    expect(request).toMatchObject({ tools: [{ name: 'f' }], toolChoice: { type: 'auto' } });
    expect(ignored).toEqual(['tools[1]']);
    expect(() => plain({ origin, tools: [search] })).toThrow(/"web_search" is run by its own vendor/);
  });
});

import type { ChatRequest, Message } from 'drivebay/plugin';
import { json } from '../../setup/upstream';
import { call, calls, result, text } from '../messages';
import { ETA, useVendor } from '../vendors';
import { message } from './wire';

const harness = useVendor(ETA);

/** The places of breakpoints in the body that reaches the vendor, in the order in which it caches. */
async function breakpoints(request: Partial<ChatRequest>): Promise<string[]> {
  harness().upstream.answer(json(message()));
  return breakpointsIn(await harness().sent(request));
}

interface Marked {
  cache_control?: { ttl?: string };
  content?: Marked[] | string;
}

type Body = Record<'tools' | 'system', Marked[] | undefined> & { messages: Marked[] } & Marked;

function breakpointsIn({ tools = [], system = [], messages, ...whole }: Body): string[] {
  const look = ({ cache_control: control, content }: Marked, path: string): string[] => [
    ...(control ? [`${path} ${control.ttl ?? '5m'}`] : []),
    ...(Array.isArray(content) ? lookAt(content, path) : []),
  ];
  const lookAt = (list: Marked[], path: string) => list.flatMap((item, index) => look(item, `${path}.${index}`));
  return [
    ...lookAt(tools, 'tools'),
    ...lookAt(system, 'system'),
    ...lookAt(messages, 'messages'),
    ...look(whole, 'whole'),
  ];
}

const tools = [{ name: 'a' }, { name: 'b' }];
const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
const say = (role: Message['role'], content: string, extra?: Record<string, unknown>): Message => ({
  role,
  parts: [text(content, extra)],
});

test('breakpoints end the tools, the system prompt and the last user turn', async () => {
  const messages = [say('system', 's'), say('system', 't'), say('user', 'u'), say('assistant', 'a'), say('user', 'v')];
  expect(await breakpoints({ messages, tools })).toEqual(['tools.1 5m', 'system.1 5m', 'messages.2.0 5m']);
  expect(await breakpoints({ messages })).toEqual(['system.1 5m', 'messages.2.0 5m']);
  expect(await breakpoints({})).toEqual(['messages.0.0 5m']);
});

test('the last user turn may be results of tools, or stand before the beginning of an answer', async () => {
  const answered = [say('user', 'u'), calls(call('t')), result('t', '')];
  expect(await breakpoints({ messages: answered })).toEqual(['messages.2.0 5m']);
  expect(await breakpoints({ messages: [say('user', 'u'), say('assistant', 'The')] })).toEqual(['messages.0.0 5m']);
});

test('the client’s own stay, and all together are at most four', async () => {
  const own = [1, 2, 3, 4].map((n) => say(n % 2 ? 'user' : 'assistant', `${n}`, mark()));
  const all = (count: number) => [say('system', 's'), ...own.slice(0, count), say('user', 'last')];
  expect(await breakpoints({ messages: all(2), tools })).toEqual([
    'system.0 5m',
    'messages.0.0 5m',
    'messages.1.0 5m',
    'messages.2.0 5m',
  ]);
  expect(await breakpoints({ messages: all(4), tools })).toHaveLength(4);
  const onLast = [say('system', 's', mark()), say('user', 'u', mark())];
  expect(await breakpoints({ messages: onLast, tools })).toEqual(['tools.1 5m', 'system.0 5m', 'messages.0.0 5m']);
});

test('one on a tool, on a whole message, in a result, and for the whole request count as well', async () => {
  const content = [{ type: 'text' as const, text: 'r', extra: mark() }];
  const messages: Message[] = [
    { ...say('system', 's'), extra: mark() },
    say('user', 'u'),
    calls(call('t')),
    { role: 'tool', parts: [{ type: 'tool_result', callId: 't', content }] },
  ];
  const marked = [{ name: 'a', raw: { type: 'function', function: { name: 'a' }, ...mark() } }, { name: 'b' }];
  expect(await breakpoints({ messages, tools: marked, extra: mark() })).toEqual([
    'tools.0 5m',
    'system.0 5m',
    'messages.2.0.0 5m',
    'whole 5m',
  ]);
});

test('ours last an hour where one of the client’s that does follows', async () => {
  const messages = [say('system', 's'), say('user', 'u', mark('1h')), say('assistant', 'a'), say('user', 'v')];
  expect(await breakpoints({ messages, tools })).toEqual([
    'tools.1 1h',
    'system.0 1h',
    'messages.0.0 1h',
    'messages.2.0 5m',
  ]);
});

test('a tool that is loaded later carries none', async () => {
  const later = { name: 'c', raw: { type: 'function', function: { name: 'c' }, defer_loading: true } };
  expect(await breakpoints({ tools: [...tools, later] })).toEqual(['tools.1 5m', 'messages.0.0 5m']);
});

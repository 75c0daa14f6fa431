import type { JsonLine } from 'drivebay/plugin';
import { ThreadReader } from '../../../plugins/delta-cli/thread-reader';
import { ToolReader } from '../../../plugins/delta-cli/tool-reader';
import { readOutput } from '../recordings';
import { completed, delta, item, told, tokens } from './app-server-script';

const BEFORE = { inputTokens: 100, outputTokens: 10 };

function open(isStreamed = true) {
  const pushed: JsonLine[] = [];
  const thread = new ThreadReader({ usesProxy: false, isStreamed, before: BEFORE });
  const reader = new ToolReader(thread, undefined, (line) => void pushed.push(line));
  return { thread, reader, pushed, read: (lines: readonly unknown[]) => readOutput(reader, lines) };
}

const made = (id: string) => told('rawResponseItem/completed', { item: { type: 'function_call', call_id: id } });
const answered = (id: string) =>
  told('rawResponseItem/completed', { item: { type: 'function_call_output', call_id: id } });
const asked = (id: string, args = {}) => ({
  id: 0,
  ...told('item/tool/call', { callId: id, tool: 'f', arguments: args }),
});
const end = told('rawResponse/completed', { usage: { inputTokens: 30, outputTokens: 12 } });
const message = item({ type: 'agentMessage', id: 'msg_1', text: 'Look.' });

test.each([true, false])(
  'the calls of one response are passed on together, behind its text, streamed: %s',
  (isStreamed) => {
    const { reader, thread, read } = open(isStreamed);
    const { events, outcome } = read([
      ...[delta('Look.'), message, made('a'), made('b'), end],
      ...[item({ type: 'dynamicToolCall', id: 'a' }, 'started'), asked('a', { of: 1 }), asked('b')],
    ]);
    expect(events).toMatchObject([
      { type: 'text', text: 'Look.' },
      { type: 'tool_call', index: 0, name: 'f', arguments: '{"of":1}' },
      { type: 'tool_call', index: 1, name: 'f', arguments: '{}' },
    ]);
    expect(outcome).toMatchObject({ finish: 'tool_calls', usage: { inputTokens: 30, outputTokens: 12 } });
    expect([...reader.calls.values()]).toEqual(['a', 'b']);
    expect([...reader.calls.keys()]).toEqual(events.slice(1).map((event) => (event as { id: string }).id));
    // The next part pays for itself only.
    expect(thread.total).toMatchObject({ inputTokens: 130, outputTokens: 22 });
  },
);

test('calls that come before the end of the response wait for it', () => {
  const { reader, read } = open();
  expect(read([made('a'), asked('a'), made('b')]).outcome).toBeUndefined();
  expect(readOutput(reader, [end]).outcome).toBeUndefined();
  expect(readOutput(reader, [asked('b')]).outcome).toMatchObject({ finish: 'tool_calls' });
  reader.close();
});

test('a call of a tool that nobody has is the program’s matter', () => {
  const { read } = open();
  const refused = [made('x'), end, answered('x')];
  const { outcome, events } = read([...refused, made('a'), asked('a'), end]);
  expect(events).toMatchObject([{ type: 'tool_call', index: 0 }]);
  expect(outcome).toMatchObject({ finish: 'tool_calls', usage: { inputTokens: 60, outputTokens: 24 } });
  expect(open().read([...refused, delta('None.'), tokens(130, 22), completed])).toMatchObject({
    ...{ text: 'None.', outcome: { finish: 'stop' } },
  });
});

test('a call that the program refuses holds up no call beside it: of that it tells later', () => {
  jest.useFakeTimers();
  try {
    const { reader, pushed } = open();
    expect(readOutput(reader, [made('a'), made('bad'), asked('a'), end]).outcome).toBeUndefined();
    jest.advanceTimersByTime(1_000);
    expect(readOutput(reader, [pushed[0]!.json])).toMatchObject({
      ...{ events: [{ type: 'tool_call', index: 0 }], outcome: { finish: 'tool_calls', usage: { inputTokens: 30 } } },
    });
    expect([...reader.calls.values()]).toEqual(['a']);
  } finally {
    jest.useRealTimers();
  }
});

test('a call that broke off with its response is forgotten', () => {
  const retry = told('error', { error: { message: 'Reconnecting... 1/5' }, willRetry: true });
  const { events } = open().read([made('half'), retry, made('a'), end, asked('a')]);
  expect(events).toMatchObject([{ type: 'tool_call', index: 0 }]);
});

test('a version that does not tell of the end of a response has made its calls after a silence', async () => {
  const { reader, pushed } = open();
  expect(readOutput(reader, [asked('a')]).outcome).toBeUndefined();
  while (pushed.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(readOutput(reader, [pushed[0]!.json]).outcome).toMatchObject({ finish: 'tool_calls' });
});

test('a model that takes long to write its next call is waited for', () => {
  jest.useFakeTimers();
  try {
    const { reader, pushed } = open();
    expect(readOutput(reader, [made('a'), asked('a')]).outcome).toBeUndefined();
    jest.advanceTimersByTime(5_000);
    expect(pushed).toEqual([]);
    expect(readOutput(reader, [made('b'), asked('b'), end])).toMatchObject({
      ...{ events: [{ index: 0 }, { index: 1 }], outcome: { finish: 'tool_calls' } },
    });
  } finally {
    jest.useRealTimers();
  }
});

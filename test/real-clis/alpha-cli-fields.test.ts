import type { ChatEvent, Tool } from 'drivebay/plugin';
import type { HttpRequestRecord } from 'drivebay/testing';
import { result } from '../plugins/messages';
import { answers, callsFor } from './claude-answers';
import { type Chatted, say, WarmClaude } from './warm-claude';

let stage: WarmClaude;

beforeEach(async () => {
  stage = await WarmClaude.start();
});
afterEach(() => stage.close());

const stop = ['END', 'FIN'];
const tools: Tool[] = [{ name: 'look', parameters: { type: 'object', properties: {} } }];
const ignoredIn = ({ events }: Chatted) =>
  events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));
const fieldsOf = ({ body }: HttpRequestRecord) => {
  const { thinking, stop_sequences } = body;
  return { thinking: thinking?.type, stop_sequences };
};
const THOUGHTFUL = { thinking: 'adaptive' };
const finishOf = ({ events }: Chatted) => events.at(-1);

test('a sequence that ends the answer reaches the model in each kind of run, for one answer', async () => {
  stage.play(answers('Half', [], 'stop_sequence'));
  const messages = [say('user', 'One')];
  const cold = await stage.chat({ messages, stop });
  expect([cold.text, cold.warm, ignoredIn(cold), finishOf(cold)]).toEqual([
    ...['Half', 'cold', []],
    { type: 'finish', reason: 'stop' },
  ]);
  expect(fieldsOf(stage.last)).toEqual({ ...THOUGHTFUL, stop_sequences: stop });
  await stage.untilReady();
  const ready = await stage.chat({ messages, stop: ['END'] });
  expect([ready.text, ready.warm, ignoredIn(ready), finishOf(ready)]).toEqual([
    ...['Half', 'hit', []],
    { type: 'finish', reason: 'stop' },
  ]);
  expect(fieldsOf(stage.last)).toEqual({ ...THOUGHTFUL, stop_sequences: ['END'] });
  const next = [...messages, say('assistant', 'Half'), say('user', 'Two')];
  expect((await stage.chat({ messages: next })).warm).toBe('resumed');
  expect(fieldsOf(stage.last)).toEqual(THOUGHTFUL);
  const last = await stage.chat({ messages: [...next, say('assistant', 'Half'), say('user', 'Three')], stop });
  expect(last.warm).toBe('resumed');
  expect(fieldsOf(stage.last)).toEqual({ ...THOUGHTFUL, stop_sequences: stop });
});

test('an answer that ends before its first word is empty: nothing is asked in its place', async () => {
  stage.play(answers('', [], 'stop_sequence'));
  const messages = [say('user', 'One')];
  const cold = await stage.chat({ messages, stop });
  expect([cold.text, cold.warm, finishOf(cold)]).toEqual(['', 'cold', { type: 'finish', reason: 'stop' }]);
  await stage.untilReady();
  const ready = await stage.chat({ messages, stop });
  expect([ready.text, ready.warm, finishOf(ready)]).toEqual(['', 'hit', { type: 'finish', reason: 'stop' }]);
  expect(stage.kept('conversation')).toBe(0);
});

test('with tools of the client it holds for the answer that it came with', async () => {
  stage.play(callsFor('Looking.', { id: 'toolu_1', name: 'look', input: {} }));
  const messages = [say('user', 'Look')];
  const first = await stage.chat({ messages, tools, stop });
  expect([first.warm, ignoredIn(first), fieldsOf(stage.last)]).toEqual([
    ...['cold', [], { ...THOUGHTFUL, stop_sequences: stop }],
  ]);
  const call = first.events.find((event): event is Extract<ChatEvent, { type: 'tool_call' }> => {
    return event.type === 'tool_call';
  })!;
  const part = { type: 'tool_call', id: call.id!, name: call.name!, arguments: call.arguments! } as const;
  stage.play(answers('Seen.'));
  const called = { role: 'assistant', parts: [{ type: 'text', text: 'Looking.' }, part] } as const;
  const second = await stage.chat({
    messages: [...messages, { ...called, parts: [...called.parts] }, result(call.id!, 'It')],
    tools,
  });
  expect([second.text, second.warm]).toEqual(['Seen.', 'resumed']);
  expect(fieldsOf(stage.last)).toEqual(THOUGHTFUL);
});

import type { ChatEvent, ChatRequest, Tool } from 'drivebay/plugin';
import type { HttpRequestRecord } from 'drivebay/testing';
import { result } from '../plugins/messages';
import { answers, callsFor, refuses } from './claude-answers';
import { type Chatted, say, WarmClaude } from './warm-claude';

let stage: WarmClaude;

beforeEach(async () => {
  stage = await WarmClaude.start();
});
afterEach(() => stage.close());

const OLDER = 'claude-sonnet-4-5';
const stop = ['END', 'FIN'];
const tools: Tool[] = [{ name: 'look', parameters: { type: 'object', properties: {} } }];
const ignoredIn = ({ events }: Chatted) =>
  events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));
const fieldsOf = ({ body }: HttpRequestRecord) => {
  const { thinking, temperature, top_p, stop_sequences } = body;
  return { thinking: thinking?.type, temperature, top_p, stop_sequences };
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

test('a temperature reaches a model that does not think, and every other one is named as ignored', async () => {
  stage.play(answers('Hi.'));
  const request = { model: OLDER, temperature: 0.3, maxTokens: 50, stop };
  const cold = await stage.chat(request);
  expect([cold.text, cold.warm, ignoredIn(cold)]).toEqual(['Hi.', 'cold', []]);
  expect(fieldsOf(stage.last)).toEqual({ thinking: 'disabled', temperature: 0.3, stop_sequences: stop });
  await stage.untilReady();
  const ready = await stage.chat({ model: OLDER, topP: 0.5, maxTokens: 50 });
  expect([ready.warm, ignoredIn(ready)]).toEqual(['hit', []]);
  expect(fieldsOf(stage.last)).toMatchObject({ thinking: 'disabled', top_p: 0.5, stop_sequences: undefined });
  const thinking = await stage.chat({ model: OLDER, temperature: 0.3 });
  expect([thinking.text, ignoredIn(thinking)]).toEqual(['Hi.', ['temperature']]);
  expect(fieldsOf(stage.last)).toEqual({ thinking: 'enabled' });
});

test.each<[string, Partial<ChatRequest>]>([
  ['a newer model', { model: 'claude-opus-4-8' }],
  ['an older model', { model: OLDER }],
  ['a model with tools of the client', { tools }],
])('%s that refuses a temperature answers without it, from then on at once', async (_name, more) => {
  stage.play(({ body }) =>
    body.temperature === 0.3 ? refuses(400, '`temperature` is deprecated for this model.') : answers('Hi.'),
  );
  const request = { temperature: 0.3, maxTokens: 50, ...more };
  const first = await stage.chat(request);
  expect([first.text, first.warm, ignoredIn(first)]).toEqual(['Hi.', 'cold', ['temperature']]);
  await stage.untilReady();
  const before = stage.chats.length;
  const second = await stage.chat(request);
  expect([second.text, second.warm, ignoredIn(second)]).toEqual(['Hi.', 'hit', ['temperature']]);
  expect(stage.chats).toHaveLength(before + 1);
});

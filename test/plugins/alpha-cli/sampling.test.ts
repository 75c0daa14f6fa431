import type { ChatEvent } from 'drivebay/plugin';
import type { CliRunRecord } from 'drivebay/testing';
import { textOf } from '../cli-harness';
import { start } from './harness';
import { failedResult, init, result, said, synthetic } from './lines';

let harness: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  harness = await start();
});
afterEach(() => harness.close());

const REFUSED = 'API Error: 400 `temperature` is deprecated for this model.';
const request = { model: 'opus', temperature: 0, maxTokens: 5 };
const fails = (text: string, status: number) => [init(), synthetic(text, 'unknown'), failedResult(text, status)];
const sampled = ({ env }: CliRunRecord) => env.CLAUDE_CODE_EXTRA_BODY;
const ignoredIn = (events: ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));

test('a model that refuses a temperature is asked again without it, and from then on at once', async () => {
  harness.script((run) => (sampled(run) ? fails(REFUSED, 400) : [init(), said('Hi.'), result('Hi.')]));
  const first = await harness.chat(request);
  expect([textOf(first), ignoredIn(first), first.at(-1)]).toEqual([
    ...['Hi.', ['temperature']],
    { type: 'finish', reason: 'stop' },
  ]);
  expect(harness.chats.map(sampled)).toEqual(['{"temperature":0}', undefined]);
  const second = await harness.chat(request);
  expect([textOf(second), ignoredIn(second)]).toEqual(['Hi.', ['temperature']]);
  expect(harness.chats).toHaveLength(3);
  await expect(harness.chat({ ...request, model: 'haiku' })).resolves.toContainEqual({ type: 'text', text: 'Hi.' });
  expect(harness.chats.map(sampled)).toHaveLength(5);
});

test('a model that takes no top_p beside the temperature of the program takes a temperature all the same', async () => {
  const refused = 'API Error: 400 `temperature` and `top_p` cannot both be specified for this model.';
  harness.script((run) =>
    sampled(run)?.includes('top_p') ? fails(refused, 400) : [init(), said('Hi.'), result('Hi.')],
  );
  const narrow = { ...request, temperature: undefined, topP: 0.5 };
  expect(ignoredIn(await harness.chat(narrow))).toEqual(['top_p']);
  expect(ignoredIn(await harness.chat(request))).toEqual([]);
  expect(ignoredIn(await harness.chat(narrow))).toEqual(['top_p']);
  expect(harness.chats.map(sampled)).toEqual(['{"top_p":0.5}', undefined, '{"temperature":0}', undefined]);
});

test.each([
  ['another refusal', 'API Error: 400 messages: too many', 400],
  ['a failure that is no refusal', REFUSED, 500],
])('%s is the failure of the chat', async (_name, text, status) => {
  harness.script(fails(text, status));
  expect(await harness.failure(request)).toMatchObject({ message: expect.stringContaining(text) as string });
  expect(harness.chats).toHaveLength(1);
});

test('a refusal that was about something else takes the temperature from no later chat', async () => {
  const other = 'API Error: 400 tools.0.input_schema.properties.temperature: invalid';
  harness.script(fails(other, 400));
  expect(await harness.failure(request)).toMatchObject({ message: expect.stringContaining(other) as string });
  harness.script([init(), said('Hi.'), result('Hi.')]);
  expect(ignoredIn(await harness.chat(request))).toEqual([]);
  expect(harness.chats.map(sampled)).toEqual(['{"temperature":0}', undefined, '{"temperature":0}']);
});

test('an answer that has begun is not begun anew', async () => {
  harness.script([init(), said('Half'), failedResult(REFUSED, 400)]);
  expect(await harness.failure(request)).toMatchObject({ status: 400 });
  expect(harness.chats).toHaveLength(1);
});

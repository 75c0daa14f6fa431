import OpenAI from 'openai';
import { makeParseableTextFormat } from 'openai/lib/parser';
import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../../scripted-driver';

let gateway: RunningGateway;
let client: OpenAI;
useScripted((started) => {
  gateway = started;
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
});

const USAGE: Step = { type: 'usage', inputTokens: 5, outputTokens: 6 };
const TURN: Step[] = [
  { type: 'reasoning', text: 'hm' },
  text('Hel'),
  text('lo'),
  { type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '{"x":1}' },
  USAGE,
  { type: 'finish', reason: 'tool_calls' },
];
/** A body with the script for the driver: the SDK passes unknown fields on. */
const body = (script: Step[], fields: Record<string, unknown> = {}) => ({
  model: 'main',
  input: 'Hi',
  script,
  ...fields,
});

test('create gives the answer', async () => {
  const response = await client.responses.create(body(TURN));
  expect(response).toMatchObject({ output_text: 'Hello', status: 'completed', usage: { total_tokens: 11 } });
  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
});

test('create with stream gives the events', async () => {
  const types = new Set<string>();
  let said = '';
  let total: number | undefined;
  for await (const event of await client.responses.create({ ...body(TURN), stream: true })) {
    types.add(event.type);
    if (event.type === 'response.output_text.delta') said += event.delta;
    if (event.type === 'response.completed') total = event.response.usage?.total_tokens;
  }
  expect([said, total]).toEqual(['Hello', 11]);
  expect(types).toContain('response.function_call_arguments.done');
});

test('stream().finalResponse() folds them', async () => {
  const final = await client.responses.stream(body(TURN)).finalResponse();
  expect(final.output_text).toBe('Hello');
  expect(final.output[2]).toMatchObject({ type: 'function_call', arguments: '{"x":1}' });
});

test('calls by turns, and a cut answer, are folded too', async () => {
  const pieces: Step[] = [
    { type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '{"x"' },
    { type: 'tool_call', index: 1, id: 'b', name: 'g', arguments: '{}' },
    { type: 'tool_call', index: 0, arguments: ':1}' },
    { type: 'finish', reason: 'length' },
  ];
  const final = await client.responses.stream(body(pieces)).finalResponse();
  expect(final).toMatchObject({ status: 'incomplete', output: [{ arguments: '{"x":1}' }, { arguments: '{}' }] });
});

test('a refusal is no mistaken structured output', async () => {
  const script: Step[] = [{ type: 'extra', delta: { refusal: 'I will not.' } }, stop];
  const format = { type: 'json_schema' as const, name: 'out', schema: { type: 'object' } };
  const asked = body(script, { text: { format: makeParseableTextFormat(format, JSON.parse) } });
  const refused = { output_parsed: null, output: [{ content: [{ type: 'refusal', refusal: 'I will not.' }] }] };
  expect(await client.responses.parse(asked)).toMatchObject(refused);
  expect(await client.responses.stream(asked).finalResponse()).toMatchObject(refused);
});

test('a response is kept: retrieve, go on from it, delete', async () => {
  const first = await client.responses.create(body([text('One.'), stop], { input: 'Count' }));
  expect(await client.responses.retrieve(first.id)).toEqual(first);

  const second = await client.responses.create(
    body([{ echo: 'request' }, stop], { input: 'Next', previous_response_id: first.id }),
  );
  const { messages, origin } = JSON.parse(second.output_text) as {
    messages: { role: string; parts: { text: string }[] }[];
    origin: { body: Record<string, unknown> };
  };
  expect(messages.map(({ role, parts }) => [role, parts[0]!.text])).toEqual([
    ['user', 'Count'],
    ['assistant', 'One.'],
    ['user', 'Next'],
  ]);
  expect(origin.body).not.toHaveProperty('previous_response_id');
  expect(origin.body.input).toHaveLength(3);

  const third = await client.responses.create(body([text('Three.'), stop], { previous_response_id: second.id }));
  expect(third.previous_response_id).toBe(second.id);

  await client.responses.delete(first.id);
  await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' });
  const gone = client.responses.create(body([stop], { previous_response_id: first.id }));
  await expect(gone).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
});

test('items of kept answers may be named in place of being sent', async () => {
  const first = await client.responses.create(body(TURN, { input: 'Count' }));
  const named = first.output.map(({ id }, index) => (index === 0 ? { id: id! } : { type: 'item_reference', id: id! }));
  const input = [{ role: 'user', content: 'Count' }, ...named, { role: 'user', content: 'Next' }];
  const second = await client.responses.create(body([{ echo: 'request' }, stop], { input, store: false }));
  const { messages, origin } = JSON.parse(second.output_text) as {
    messages: { parts: object[] }[];
    origin: { body: { input: object[] } };
  };
  expect(messages[1]!.parts).toMatchObject([{ text: 'hm' }, { text: 'Hello' }, { name: 'f', arguments: '{"x":1}' }]);
  expect(origin.body.input.slice(1, 4)).toEqual(first.output);

  const left = [{ type: 'item_reference', id: second.output[0]!.id! }];
  const refused = client.responses.create(body([stop], { input: left }));
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'input[0]' });

  const unreadable = [{ type: 'item_reference', id: { toString: null } as unknown as string }];
  const spelled = client.responses.create(body([stop], { input: unreadable }));
  await expect(spelled).rejects.toMatchObject({ status: 400, param: 'input[0].id' });
});

test('a streamed response is kept, and none with store: false', async () => {
  const kept = await client.responses.stream(body([text('Hi'), stop])).finalResponse();
  expect(await client.responses.retrieve(kept.id)).toMatchObject({ output_text: 'Hi' });
  const left = await client.responses.create(body([text('Hi'), stop], { store: false }));
  await expect(client.responses.retrieve(left.id)).rejects.toMatchObject({ status: 404 });
});

test('a failure is thrown with its message, within a stream, too', async () => {
  const refused = client.responses.create(body([{ fail: ['auth', 'the key is refused'] }]));
  await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining('the key is refused') });
  const script: Step[] = [text('Hi'), { fail: ['upstream', 'gone'] }];
  const final = client.responses.stream(body(script)).finalResponse();
  await expect(final).rejects.toMatchObject({ code: 'server_error', message: expect.stringContaining('gone') });
});

import type { ChatRequest, Part } from '../../core/contract/api';
import { makerOf, withCarried } from '../../core/contract/carried';
import { prepareRequest } from '../../core/providers/prepare-request';
import type { ProviderSettings } from '../../core/providers/settings';
import { CAPABLE, settings } from './settings';

const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  stream: true,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  extra: {},
  ...more,
});

const prepare = (more: Partial<ChatRequest>, of: Partial<ProviderSettings> = {}) =>
  prepareRequest(request(more), settings(of));

test('the model of the request wins over the default model', () => {
  expect(prepare({ model: 'own' }).request.model).toBe('own');
  expect(prepare({}).request.model).toBe('default-model');
});

test('without any model a CLI decides, and an http provider refuses', () => {
  const defaultModel = undefined;
  expect(prepare({}, { driverKind: 'cli', defaultModel }).request.model).toBeUndefined();
  const message: unknown = expect.stringContaining('"p:<model>"');
  const refusal = expect.objectContaining({ code: 'invalid_request', param: 'model', message }) as Error;
  expect(() => prepare({}, { defaultModel })).toThrow(refusal);
});

test.each([
  [true, 'stream', true],
  [true, 'call', false],
  [false, 'stream', false],
] as const)('stream %s with mode %s is %s', (stream, mode, expected) => {
  expect(prepare({ stream }, { mode }).request.stream).toBe(expected);
});

test.each([
  [{}, 0, undefined],
  [{}, 7, 7],
  [{ maxTokens: 5 }, 7, 5],
  [{ maxTokens: 0 }, 0, undefined],
])('maxTokens of %j with a setting of %i is %s', (fields, maxTokens, expected) => {
  expect(prepare(fields, { maxTokens }).request.maxTokens).toBe(expected);
});

test.each([
  [{ reasoningEffort: 'HiGH' }, 'low', 'HiGH'],
  [{}, 'low', 'low'],
  [{ reasoningEffort: '' }, 'low', 'low'],
  [{ reasoningEffort: '' }, undefined, undefined],
])('the reasoning effort of %j with a setting of %p is %p', (fields, reasoningEffort, expected) => {
  const { request: prepared } = prepare(fields, { takesReasoningEffort: true, reasoningEffort });
  expect(prepared.reasoningEffort).toBe(expected);
});

test('a reasoning effort is named as ignored where the driver does not take it', () => {
  const { request: prepared, ignored } = prepare({ reasoningEffort: 'high' });
  expect(prepared.reasoningEffort).toBeUndefined();
  expect(ignored).toEqual(['reasoning_effort']);
  expect(prepare({}).ignored).toEqual([]);
});

test('a thinking budget comes from the settings', () => {
  expect(prepare({}, { thinkingBudget: 100 }).request.thinkingBudget).toBe(100);
  expect(prepare({}, { thinkingBudget: 0 }).request.thinkingBudget).toBeUndefined();
});

test('tools are left out and named where the driver has none', () => {
  const { request: prepared, ignored } = prepare({ tools: [{ name: 'f' }], toolChoice: { type: 'auto' } });
  expect(prepared.tools).toBeUndefined();
  expect(prepared.toolChoice).toBeUndefined();
  expect(ignored).toEqual(['tools', 'tool_choice']);
});

const image: Part = { type: 'image', url: 'data:' };
const audio: Part = { type: 'audio', data: '', format: 'wav' };
const file: Part = { type: 'file', id: 'x' };
const user = (...parts: Part[]): ChatRequest['messages'] => [{ role: 'user', parts }];

test.each<[string, Partial<ChatRequest>, string]>([
  ['a second choice', { choices: 2 }, 'n'],
  ['a forced tool', { toolChoice: { type: 'required' } }, 'tool_choice'],
  ['a named tool', { toolChoice: { type: 'tool', name: 'f' } }, 'tool_choice'],
  ['an image', { messages: user({ type: 'text', text: 'x' }, image) }, 'messages[0].content[1]'],
  ['a sound', { messages: user(audio) }, 'messages[0].content[0]'],
  ['a file', { messages: user(file) }, 'messages[0].content[0]'],
  [
    'an image in a tool result',
    {
      messages: [
        ...user({ type: 'text', text: 'x' }),
        { role: 'tool', parts: [{ type: 'tool_result', callId: 'c', content: [image] }] },
      ],
    },
    'messages[1].content[0]',
  ],
  [
    'an image behind reasoning',
    { messages: [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'x' }, image] }] },
    'messages[0].content[0]',
  ],
])('%s is refused by a driver that cannot do it, and passed to one that can', (_name, fields, param) => {
  expect(() => prepare(fields)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  expect(prepare(fields, { capabilities: CAPABLE })).toMatchObject({ request: fields, ignored: [] });
});

test('a driver may take images in the results of tools alone', () => {
  const { capabilities } = settings();
  const of = { capabilities: { ...capabilities, resultImages: true } };
  const result: Part = { type: 'tool_result', callId: 'c', content: [image] };
  const messages = [...user({ type: 'text', text: 'x' }), { role: 'tool' as const, parts: [result] }];
  expect(prepare({ messages }, of).request.messages).toEqual(messages);
  const refusal = expect.objectContaining({ param: 'messages[0].content[0]' }) as Error;
  expect(() => prepare({ messages: user(image) }, of)).toThrow(refusal);
  const sound: Part = { ...result, content: [audio] };
  const heard = [...user({ type: 'text', text: 'x' }), { role: 'tool' as const, parts: [sound] }];
  expect(() => prepare({ messages: heard }, of)).toThrow(expect.objectContaining({ param: 'messages[1].content[0]' }));
});

test.each([0, -1])('%p choices are left to a backend that knows choices, and named where it does not', (choices) => {
  expect(prepare({ choices }, { capabilities: CAPABLE })).toMatchObject({ request: { choices }, ignored: [] });
  const { request: prepared, ignored } = prepare({ choices });
  expect(prepared.choices).toBeUndefined();
  expect(ignored).toEqual(['n']);
});

test('the request itself stays as it was', () => {
  const given = request({ tools: [{ name: 'f' }], reasoningEffort: 'high' });
  const copy = structuredClone(given);
  prepareRequest(given, settings());
  expect(given).toEqual(copy);
});

describe('a request of another wire than chat completions', () => {
  const origin = { api: 'messages', body: {}, headers: {} } as const;
  const tools = [{ name: 'f' }];

  test('with tools is refused where the driver cannot call them', () => {
    const message: unknown = expect.stringContaining('provider "p" cannot call tools');
    const refusal = expect.objectContaining({ code: 'invalid_request', param: 'tools', message }) as Error;
    expect(() => prepare({ origin, tools })).toThrow(refusal);
    expect(prepare({ origin, tools: [] }).request.tools).toBeUndefined();
    expect(prepare({ origin, tools }, { capabilities: CAPABLE }).request.tools).toEqual(tools);
  });
});

describe('what an earlier answer left with the client', () => {
  const part = (maker: string) => withCarried({ type: 'reasoning', text: 'r' }, { maker, extra: { sign: 1 } });
  const partsFor = (maker: string) =>
    prepare({ messages: [{ role: 'assistant', parts: [part(maker)] }] }).request.messages;

  test('goes back to the provider that made it', () => {
    expect(partsFor(makerOf({ driver: 'd-1', name: 'p' }))).toEqual([
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'r', extra: { sign: 1 } }] },
    ]);
  });

  test.each([
    ['d-1', 'other'],
    ['other', 'p'],
  ])('to no other one: made by %s/%s', (driver, name) => {
    const [message] = partsFor(makerOf({ driver, name }));
    expect(message?.parts).toStrictEqual([{ type: 'reasoning', text: 'r' }]);
  });
});

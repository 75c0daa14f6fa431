import Ajv2020 from 'ajv/dist/2020';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorKinds } from '../../core/contract/driver-error';
import { requestFields } from '../../core/gateway/dialects/chat-completions/request-fields';
import { requestFields as messageFields } from '../../core/gateway/dialects/messages/request-fields';
import { spellError as spellMessageError } from '../../core/gateway/dialects/messages/spell-error';
import { requestFields as responsesFields } from '../../core/gateway/dialects/responses/request-fields';
import { spellError } from '../../core/gateway/dialects/chat-completions/spell-error';
import { embeddingFields } from '../../core/gateway/dialects/chat-completions/embeddings/parse-embedding';
import { dialects } from '../../core/gateway/dialects/dialects';
import { type ErrorCode, errorCodes } from '../../core/gateway/error-codes';
import { gatewayError } from '../../core/gateway/to-http-error';
import { packageRoot, productVersion } from '../../core/package';
import { markdownTable } from '../docs/markdown-table';
import type { RunningGateway } from '../setup/running-gateway';
import { stop, text, useScripted } from './scripted-driver';
import { events, type Json, post } from './wire';

const CHATS = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';
const STORED = '/v1/responses/{id}';
const FILE = join(packageRoot, 'docs', 'openapi.json');
const GETS = [
  ['/health', '/health'],
  ['/v1/models', '/v1/models'],
  ['/v1/models/{id}', '/v1/models/main'],
  ['/openapi.json', '/openapi.json'],
] as const;

let gateway: RunningGateway;
const description = JSON.parse(readFileSync(FILE, 'utf8')) as Json;
const { EmbeddingRequest: embeddingRequest, Error: errorBody } = description.components.schemas as Json;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, 'openapi');

useScripted((started) => (gateway = started));

/** The complaints of the description about a body; undefined where it does not speak of the path, the status or the type. */
function complaints(path: string, method: string, status: number, type: string, body: unknown): unknown {
  const responses = (description.paths[path]?.[method]?.responses ?? {}) as Json;
  const at = status in responses ? String(status) : 'default';
  if (!responses[at]?.content?.[type]) return undefined;
  const pointer = ['paths', path, method, 'responses', at, 'content', type, 'schema'];
  const validate = ajv.getSchema(
    `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
  )!;
  return validate(body) ? [] : validate.errors;
}

const usage = {
  type: 'usage',
  inputTokens: 9,
  outputTokens: 2,
  cachedInputTokens: 3,
  cacheWriteInputTokens: 1,
  costUsd: 0.1,
};
const call = { type: 'tool_call', index: 0, id: 'call_a', name: 'f', arguments: '{}' };

test('docs/openapi.json is what is served, and is of this version', async () => {
  expect(await (await fetch(`${gateway.url}/openapi.json`)).json()).toEqual(description);
  expect(description.info.version).toBe(productVersion);
});

test('it is OpenAPI 3.1', () => {
  // An ES module, which Jest does not load: so it runs as the program that it is as well.
  const validator = join(packageRoot, 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [validator, FILE], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('valid');
  expect(description.openapi).toMatch(/^3\.1\./);
});

test('it has every path', () => {
  // The others of a call are the same under another name.
  const calls = dialects.flatMap((dialect) => dialect.calls.map(({ paths }) => paths[0]!));
  const paths = [...calls, ...GETS.map(([path]) => path), '/metrics', STORED];
  expect(Object.keys(description.paths as Json).sort()).toEqual(paths.sort());
});

test.each([
  ['ChatRequest', requestFields],
  ['ResponsesRequest', responsesFields],
])('it has each field of %s that is checked, with its type', (name, fields) => {
  const { $schema: _, ...checked } = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' });
  const described = description.components.schemas[name] as Json;
  expect(described).toMatchObject(checked);
  expect(Object.keys(described.properties as Json)).toEqual(Object.keys(checked.properties!));
});

test('it has each field of a request for embeddings, with its type', () => {
  const { properties } = z.toJSONSchema(embeddingFields, { io: 'input', unrepresentable: 'any' });
  const { input: _, ...checked } = properties!;
  expect(embeddingRequest.properties).toMatchObject(checked);
  expect(Object.keys(embeddingRequest.properties as Json)).toEqual(Object.keys(properties!));
});

test('it has each field of a message request that is checked, with its type', () => {
  const { $schema: _, ...checked } = z.toJSONSchema(messageFields, { io: 'input', unrepresentable: 'any' });
  const described = description.components.schemas.MessageRequest as Json;
  expect(described).toMatchObject(checked);
  expect(Object.keys(described.properties as Json)).toEqual(Object.keys(checked.properties!));
});

test('it has every word of an error', () => {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const spelled = codes.map((each) => spellError(gatewayError(each, '')).body as Json);
  const { code, type, details } = errorBody.properties.error.properties;
  expect(code.enum).toEqual(codes);
  expect(new Set(type.enum as string[])).toEqual(new Set(spelled.map(({ error }) => error.type)));
  expect(details.properties.kind.enum).toEqual(errorKinds);
});

test('it has every type of an error of messages', () => {
  const errors = (Object.keys(errorCodes) as ErrorCode[]).map((code) => gatewayError(code, ''));
  const types = errors.map((error) => (spellMessageError(error).body as Json).error.type as string);
  const { MessageError: described } = description.components.schemas as Json;
  expect(new Set(described.properties.error.properties.type.enum as string[])).toEqual(
    new Set([...types, 'billing_error']),
  );
});

/** Expects that a stream has events, and that each is as described. */
function expectEvents(path: string, stream: string): Json[] {
  const all = events(stream.replace(/^event: .*\n/gm, ''));
  expect(all).not.toEqual([]);
  for (const event of all) expect(complaints(path, 'post', 200, 'text/event-stream', event)).toEqual([]);
  return all;
}

test('it has each code at its status, in the words of docs/gateway.md', () => {
  const methods = Object.values(description.paths as Json).flatMap((path) => Object.values(path as Json));
  const failures = methods
    .flatMap(({ responses }) => Object.entries(responses as Json))
    .filter(([at]) => at !== '200' && at !== 'default');
  expect(failures.length).toBeGreaterThan(20);
  for (const [at, { description: found }] of failures) {
    const codes = Object.entries(errorCodes).filter(([code]) => found.includes(`\`${code}\`: `));
    expect(found).toBe(codes.map(([code, { when }]) => `\`${code}\`: ${when}`).join('; '));
    expect(new Set(codes.map(([, { status }]) => String(status)))).toEqual(new Set([at]));
  }
});

test.each([CHATS, MESSAGES, RESPONSES, `${RESPONSES}/compact`, `${MESSAGES}/count_tokens`])(
  'it has the headers of Drivebay at %s',
  async (path) => {
    const script = [{ type: 'meta', ignored: ['top_k'], warm: 'hit' }, text('x'), stop];
    const body = { model: 'main', messages: [{ role: 'user', content: 'x' }], input: 'x', max_tokens: 9, script };
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const sent = [...response.headers.keys()].filter((name) => /^(x-drivebay-.*|(x-)?request-id)$/.test(name));
    // Only a route sends the last one.
    const ours = /tokens$/.test(path) ? sent : [...sent, 'x-drivebay-attempts'];
    expect(Object.keys(description.paths[path].post.responses[200].headers as Json).sort()).toEqual(ours.sort());
  },
);

test('docs/gateway.md has each code with its status', () => {
  const rows = Object.entries(errorCodes).map(([code, { status, when }]) => [String(status), `\`${code}\``, when]);
  const page = readFileSync(join(packageRoot, 'docs', 'gateway.md'), 'utf8');
  expect(page).toContain(markdownTable(['status', '`code`', 'when'], rows));
});

test.each(GETS)('GET %s answers as described', async (path, target) => {
  const response = await fetch(gateway.url + target);
  expect(complaints(path, 'get', response.status, 'application/json', await response.json())).toEqual([]);
});

test.each([
  ['/v1/models', '/v1/models', {}],
  ['/v1/models', '/v1/models?client_version=1.0', {}],
  ['/v1/models', '/v1/models', { 'anthropic-version': '2023-06-01' }],
  ['/v1/models/{id}', '/v1/models/plain', { 'anthropic-version': '2023-06-01' }],
  ['/v1/models/{id}', '/v1/models/nobody', { 'anthropic-version': '2023-06-01' }],
  ['/openapi.json', '/openapi.json', { 'anthropic-version': '2023-06-01', origin: 'http://elsewhere.example' }],
])('GET %s answers each client as described, also of a provider that rests: %s %j', async (path, target, headers) => {
  await gateway.chat({ model: 'plain', script: [{ fail: ['rate_limited', 'later', { retryAfterS: 60 }] }] });
  const response = await fetch(gateway.url + target, { headers });
  const body = (await response.json()) as Json;
  expect(complaints(path, 'get', response.status, 'application/json', body)).toEqual([]);
  const entry = ((body.data ?? []) as Json[]).find(({ id }) => id === 'plain');
  if (entry?.object === 'model') expect(entry).toHaveProperty('rests_until');
});

test.each<[string, Json]>([
  ['a text', { script: [text('Hi'), usage, stop] }],
  ['reasoning and text', { script: [{ type: 'reasoning', text: 'hm' }, text('Hi'), stop] }],
  ['tool calls', { script: [call, usage, { type: 'finish', reason: 'tool_calls' }] }],
  ['fields of the backend', { script: [{ type: 'extra', delta: { x: 1 }, response: { y: 2 } }, text('Hi'), stop] }],
])('%s is as described, single-shot and streamed', async (_, fields) => {
  const whole = await gateway.chat({ model: 'main', ...fields });
  expect(complaints(CHATS, 'post', whole.status, 'application/json', await whole.json())).toEqual([]);
  const streamed = await gateway.chat({
    model: 'main',
    stream: true,
    stream_options: { include_usage: true },
    ...fields,
  });
  expectEvents(CHATS, await streamed.text());
});

test.each<[string, Json]>([
  ['an answer', { script: [{ type: 'reasoning', text: 'hm' }, text('Hi'), call, usage, stop] }],
  ['a failure', { script: [{ fail: ['upstream', 'gone', {}] }] }],
  ['no credit', { script: [{ fail: ['rejected', 'pay', { kind: 'billing' }] }] }],
  ['a failure after the start', { script: [text('Hi'), { fail: ['upstream', 'gone', {}] }] }],
])('a message is as described: %s', async (_, fields) => {
  const send = (more: Json) =>
    fetch(gateway.url + MESSAGES, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...fields, ...more }),
    });
  const [whole, streamed] = [await send({}), await send({ stream: true })];
  // A failure before the first words has a status of its own, also where a stream was asked for.
  const single = streamed.status === 200 ? [whole] : [whole, streamed];
  for (const answer of single) {
    expect(complaints(MESSAGES, 'post', answer.status, 'application/json', await answer.json())).toEqual([]);
  }
  if (streamed.status === 200) expectEvents(MESSAGES, await streamed.text());
});

test('a count is as described', async () => {
  const path = `${MESSAGES}/count_tokens`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ input: 'Hi' });
  const response = await fetch(gateway.url + path, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  expect(complaints(path, 'post', response.status, 'application/json', await response.json())).toEqual([]);
});

test.each<[string, Json]>([
  ['an answer', { script: [{ type: 'reasoning', text: 'hm' }, text('Hi'), call, usage, stop] }],
  ['an incomplete one', { script: [text('Hi'), { type: 'finish', reason: 'length' }] }],
  ['a failed one', { script: [text('Hi'), { fail: ['upstream', 'gone', {}] }], stream: true }],
])('a response is as described: %s', async (_, fields) => {
  const respond = (body: Json) =>
    fetch(gateway.url + RESPONSES, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'main', input: 'Hi', ...fields, ...body }),
    });
  expectEvents(RESPONSES, await (await respond({ stream: true })).text());
  if (fields.stream) return;
  const whole = (await (await respond({})).json()) as Json;
  expect(complaints(RESPONSES, 'post', 200, 'application/json', whole)).toEqual([]);
  for (const method of ['get', 'delete']) {
    const stored = await fetch(`${gateway.url}${RESPONSES}/${whole.id}`, { method: method.toUpperCase() });
    expect(complaints(STORED, method, 200, 'application/json', await stored.json())).toEqual([]);
  }
});

test('a failure after the start of a stream is as described', async () => {
  const response = await gateway.chat({
    model: 'main',
    stream: true,
    script: [text('Hi'), { fail: ['upstream', 'gone', {}] }],
  });
  expect(expectEvents(CHATS, await response.text()).at(-1)).toHaveProperty('error');
});

const DETAILS = { status: 429, retryAfterS: 3, hint: 'wait', param: 'x' };
const failing = (code: string) => gateway.chat({ model: 'main', script: [{ fail: [code, 'no', DETAILS] }] });

test.each<[number, string, string, () => Promise<Response>]>([
  [400, 'post', CHATS, () => post(gateway, '{')],
  [413, 'post', CHATS, () => post(gateway, ' '.repeat(4_194_305))],
  [415, 'post', CHATS, () => post(gateway, 'x', {})],
  [404, 'get', '/v1/models/{id}', () => fetch(`${gateway.url}/v1/models/nobody`)],
  [502, 'post', CHATS, () => failing('rate_limited')],
  [504, 'post', CHATS, () => failing('timeout')],
  [403, 'get', '/health', () => fetch(`${gateway.url}/health`, { headers: { origin: 'http://elsewhere.example' } })],
])('a %i is as described', async (status, method, path, ask) => {
  const response = await ask();
  expect(response.status).toBe(status);
  expect(complaints(path, method, status, 'application/json', await response.json())).toEqual([]);
});

const HELLO = { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], input: 'Hi' };
const POSTS = Object.entries(description.paths as Json).flatMap(([path, methods]) => ('post' in methods ? [path] : []));

describe.each(POSTS)('POST %s', (path) => {
  test.each<[string, unknown, Record<string, string>?]>([
    ['a request', { ...HELLO, model: 'main' }],
    ['no model', HELLO],
    ['a model of nobody', { ...HELLO, model: 'nobody:x' }],
    ['a provider that cannot', { ...HELLO, model: 'plain', n: 3, tools: [{ name: 'f', type: 'function' }] }],
    ['an object without fields', {}],
    ['null', null],
    ['a list', [HELLO]],
    ['no JSON', '{'],
    ['no body', ''],
    ['wrong types', { model: 5, messages: 5, input: 5, max_tokens: 'x' }],
    ['another type', 'x', { 'content-type': 'text/plain' }],
    ['a compressed body', HELLO, { 'content-encoding': 'gzip' }],
    ['a foreign page', HELLO, { origin: 'http://elsewhere.example' }],
    ['what only a vendor keeps', { ...HELLO, model: 'main', prompt: { id: 'p' } }],
    ['an agent that asks itself too deep', HELLO, { 'x-drivebay-depth': '9' }],
    ['an overflow', { ...HELLO, model: 'main', script: [{ fail: ['rejected', 'no', { kind: 'context_overflow' }] }] }],
    ['a limit', { ...HELLO, model: 'main', script: [{ fail: ['rate_limited', 'no', { retryAfterS: 9 }] }] }],
    ['a wrong key', { ...HELLO, model: 'main', script: [{ fail: ['auth', 'no', { hint: 'x' }] }] }],
    [
      'no model there',
      { ...HELLO, model: 'main', script: [{ fail: ['rejected', 'no', { kind: 'model_unavailable' }] }] },
    ],
    ['a slow backend', { ...HELLO, model: 'main', script: [{ fail: ['timeout', 'no', {}] }] }],
    ['a full backend', { ...HELLO, model: 'main', script: [{ fail: ['upstream', 'no', { kind: 'overloaded' }] }] }],
    ['a refusal', { ...HELLO, model: 'main', script: [{ type: 'extra', delta: { refusal: 'No' } }, stop] }],
    ['a filter', { ...HELLO, model: 'main', script: [{ type: 'finish', reason: 'content_filter' }] }],
    ['nothing', { ...HELLO, model: 'main', script: [stop] }],
  ])('answers as described to %s', async (_, body, headers = {}) => {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as Json;
    expect([response.status, answer, complaints(path, 'post', response.status, 'application/json', answer)]).toEqual([
      response.status,
      answer,
      [],
    ]);
  });
});

test('the check can fail', () => {
  expect(complaints('/health', 'get', 200, 'application/json', { status: 'ok' })).toHaveLength(1);
  expect(complaints('/health', 'get', 299, 'application/json', {})).toBeUndefined();
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { RunningGateway } from '../../../../setup/running-gateway';
import { TempHome } from '../../../../setup/temp-home';
import { givenUp, json, posted, posts, STALL, raw, Upstream } from '../../../../setup/upstream';
import { errorOf, type Json } from '../../../wire';
import { geminiAnswer, ollamaAnswer, openaiAnswer, vectorOf } from './embedding-upstream';

/** Answers as the text of the request says. */
const ODD = `module.exports = (context) => ({
  async *chat() {},
  async check() {},
  async embed({ input, extra }) {
    if (input[0] === 'fail') throw context.error('rate_limited', 'slow down', { retryAfterS: 7 });
    return { vectors: extra.vectors, ignored: extra.ignored, ...extra.more };
  },
});`;
const NO_EMBED = 'module.exports = () => ({ async *chat() {}, async check() {} });';

const REFUSAL = { error: { message: "Unknown parameter: 'encoding_format'.", code: null } };

const home = new TempHome();
let openai: Upstream;
let ollama: Upstream;
let gemini: Upstream;
let picky: Upstream;
let stuck: Upstream;
let gateway: RunningGateway;
let client: OpenAI;

beforeAll(async () => {
  openai = (await Upstream.start()).answer(openaiAnswer);
  ollama = (await Upstream.start()).answer(ollamaAnswer);
  gemini = (await Upstream.start()).answer(geminiAnswer);
  picky = (await Upstream.start()).answer((request) =>
    request.body.encoding_format === 'base64' ? json(REFUSAL, { status: 400 }) : openaiAnswer(request),
  );
  stuck = (await Upstream.start()).answer(raw([STALL]));
  const manifest = { options: { embedding_model: {} }, capabilities: { embeddings: true } };
  home.plugin('odd', { code: ODD, manifest });
  home.plugin('unready', { code: NO_EMBED, manifest });
  home.providers(
    'name: claude, driver: anthropic, default_model: claude-x, base_url: http://127.0.0.1:9',
    `name: openai, driver: openai, embedding_model: small, cost_per_token: 0.5, base_url: ${openai.url}`,
    `name: ollama, driver: openai-compatible, default_model: llama, base_url: ${ollama.url}`,
    `name: gemini, driver: gemini, default_model: flash, embedding_model: embedding-001, base_url: ${gemini.url}`,
    `name: picky, driver: openai, embedding_model: m, base_url: ${picky.url}`,
    `name: stuck, driver: openai-compatible, embedding_model: m, base_url: ${stuck.url}`,
    'name: odd, driver: odd, embedding_model: m',
    'name: unready, driver: unready, embedding_model: m',
  );
  const keys = { OPENAI_API_KEY: 'sk-openai-key', GEMINI_API_KEY: 'gemini-key', ANTHROPIC_API_KEY: 'unused-key' };
  gateway = await RunningGateway.start([], { env: home.environment(keys) });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
});

afterAll(async () => {
  await gateway.stop();
  for (const upstream of [openai, ollama, gemini, picky, stuck]) await upstream.close();
  home.remove();
});

const ask = (fields: Json) =>
  fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });

async function refused(fields: Json, status = 400) {
  const response = await ask(fields);
  expect(response.status).toBe(status);
  return errorOf(await response.text());
}

const PROVIDERS: [string, () => Upstream][] = [
  ['openai', () => openai],
  ['ollama:nomic', () => ollama],
  ['gemini', () => gemini],
];

describe.each(PROVIDERS)('embeddings by %s', (model, upstream) => {
  test('the call that the SDK makes by default gives vectors of the right length, in the order of the texts', async () => {
    const { data, model: named } = await client.embeddings.create({ model, input: ['a', 'four', 'seventh'] });
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(data.map(({ embedding }) => embedding)).toEqual(['a', 'four', 'seventh'].map((text) => vectorOf(text)));
    expect(named).toBe(model);
  });

  test('numbers are numbers, and base64 is little-endian float32, whatever the server gives', async () => {
    const floats = await client.embeddings.create({ model, input: 'hello', encoding_format: 'float' });
    expect(floats.data[0]?.embedding).toEqual(vectorOf('hello'));
    const coded = (await (await ask({ model, input: 'hello', encoding_format: 'base64' })).json()) as Json;
    expect(coded.data).toEqual([{ object: 'embedding', index: 0, embedding: expect.any(String) }]);
    const bytes = Buffer.from(coded.data[0].embedding as string, 'base64');
    expect([0, 1, 2, 3].map((index) => bytes.readFloatLE(index * 4))).toEqual(vectorOf('hello'));
  });

  test('a list of 2048 texts keeps its order', async () => {
    const input = Array.from({ length: 2048 }, (_, index) => 'x'.repeat((index % 50) + 1));
    const { data } = await client.embeddings.create({ model, input });
    expect(data.map(({ embedding }) => embedding[0])).toEqual(input.map(({ length }) => length));
  });

  test('the key and the model reach the server', async () => {
    const before = posts(upstream()).length;
    await client.embeddings.create({ model, input: 'x' });
    const { path, headers, text } = posts(upstream())[before]!;
    const keys: Record<string, string | undefined> = {
      openai: 'Bearer sk-openai-key',
      gemini: 'gemini-key',
      'ollama:nomic': undefined,
    };
    expect(headers.authorization ?? headers['x-goog-api-key']).toBe(keys[model]);
    const named: Record<string, string> = { openai: '"small"', gemini: 'embedding-001', 'ollama:nomic': '"nomic"' };
    expect(path + text).toContain(named[model]);
  });
});

test('dimensions are honoured, or refused with 400', async () => {
  for (const model of ['openai', 'gemini']) {
    const { data } = await client.embeddings.create({ model, input: 'x', dimensions: 2 });
    expect(data[0]?.embedding).toEqual([1, 0.125]);
  }
  const { param, message } = await refused({ model: 'ollama:nomic', input: 'x', dimensions: 2 });
  expect({ param, message }).toEqual({ param: 'dimensions', message: expect.stringContaining('4 numbers') });
});

test('token numbers pass where the backend takes them', async () => {
  for (const model of ['openai', 'ollama:nomic']) {
    const one = await client.embeddings.create({ model, input: [1, 2, 3] });
    expect(one.data.map(({ embedding }) => embedding[0])).toEqual([6]);
    const two = await client.embeddings.create({ model, input: [[1], [2, 3]] });
    expect(two.data.map(({ embedding }) => embedding[0])).toEqual([1, 5]);
  }
  expect(await refused({ model: 'gemini', input: [1, 2] })).toMatchObject({ code: 'invalid_request', param: 'input' });
});

test('a provider with a model is named by it; its other names work as for chats', async () => {
  for (const model of ['small', 'openai:large', 'embedding-001', 'ollama:a:b']) {
    const response = await ask({ model, input: 'x' });
    const provider = { small: 'openai', 'openai:large': 'openai', 'embedding-001': 'gemini' }[model] ?? 'ollama';
    expect([response.status, response.headers.get('x-drivebay-provider')]).toEqual([200, provider]);
    expect(await response.json()).toMatchObject({ object: 'list', model });
  }
});

test('a provider without embeddings is refused with the names of those that have them', async () => {
  for (const model of ['claude', 'claude:claude-x', 'claude-x']) {
    const { code, param, message } = await refused({ model, input: 'x' });
    expect({ code, param }).toEqual({ code: 'invalid_request', param: 'model' });
    const others = 'openai, ollama:<model>, gemini, picky, stuck, odd, unready';
    expect(message).toBe(`provider "claude" makes no embeddings; these do: ${others}`);
  }
});

test('a model that leads to no provider is 404', async () => {
  expect(await refused({ model: 'nobody-has-this', input: 'x' }, 404)).toMatchObject({ code: 'model_not_found' });
});

test('a bare name needs an embedding_model', async () => {
  const { param, message } = await refused({ model: 'ollama', input: 'x' });
  expect(param).toBe('model');
  expect(message).toContain('use "ollama:<model>", or set embedding_model');
});

test.each<[string, Json, string]>([
  ['no input', {}, 'input'],
  ['an empty text', { input: '' }, 'input'],
  ['an empty list', { input: [] }, 'input'],
  ['an empty list of tokens', { input: [[]] }, 'input[0]'],
  ['texts and tokens together', { input: ['a', 1] }, 'input[1]'],
  ['numbers that are no tokens', { input: [1.5] }, 'input[0]'],
  ['more than 2048 texts', { input: Array(2049).fill('x') }, 'input'],
  ['an unknown format', { input: 'x', encoding_format: 'hex' }, 'encoding_format'],
  ['dimensions that are no whole number', { input: 'x', dimensions: 1.5 }, 'dimensions'],
  ['a model that is no text', { model: 3, input: 'x' }, 'model'],
])('%s is 400', async (_, fields, param) => {
  const { code, ...error } = await refused({ model: 'openai', ...fields });
  expect([code, error.param]).toEqual(['invalid_request', param]);
});

test('a failure of the backend has the statuses of chats, and says when to try again', async () => {
  const response = await ask({ model: 'odd', input: 'fail' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([502, '7']);
  expect(errorOf(await response.text())).toMatchObject({
    code: 'upstream_error',
    details: { kind: 'rate_limited', provider: 'odd' },
  });
});

test.each<[Json, string]>([
  [{ vectors: 'none' }, 'a list of lists of numbers'],
  [{ vectors: [[1], [2]] }, 'one vector for each input: 1, not 2'],
  [{ vectors: [[]] }, 'a list of numbers as vector 0'],
  [{ vectors: [['1']] }, 'numbers only in vector 0'],
  [{ vectors: [[1]], more: { inputTokens: 'many' } }, 'inputTokens'],
])('what a driver may not answer is its own defect: %j', async (fields, words) => {
  const { message, details } = await refused({ model: 'odd', input: 'x', ...fields }, 502);
  expect(details).toMatchObject({ kind: 'driver_bug', provider: 'odd' });
  expect(message).toContain(words);
});

test('a driver that declares embeddings and has none says so', async () => {
  expect((await refused({ model: 'unready', input: 'x' }, 502)).message).toContain('it has no embed()');
});

test('fields without effect are named', async () => {
  const response = await ask({ model: 'odd', input: 'x', vectors: [[1]], ignored: ['user', 'a b'] });
  expect(response.headers.get('x-drivebay-ignored-params')).toBe('user,ab');
  const native = await ask({ model: 'gemini', input: 'x', user: 'me', taskType: 'RETRIEVAL_QUERY' });
  expect(native.headers.get('x-drivebay-ignored-params')).toBe('user');
  expect(posts(gemini).at(-1)!.body.requests[0]).toMatchObject({ taskType: 'RETRIEVAL_QUERY' });
});

test('a client that leaves ends the request to the server', async () => {
  const leaving = new AbortController();
  const answer = client.embeddings.create({ model: 'stuck', input: 'x' }, { signal: leaving.signal });
  const request = await posted(stuck);
  leaving.abort();
  await expect(answer).rejects.toThrow(OpenAI.APIUserAbortError);
  await givenUp(stuck, request);
});

test('a server that refuses base64 is asked for numbers, at once from then on', async () => {
  for (const text of ['a', 'bb']) {
    const { data } = await client.embeddings.create({ model: 'picky', input: text });
    expect(data[0]?.embedding).toEqual(vectorOf(text));
  }
  expect(posts(picky).map(({ body }) => body.encoding_format)).toEqual(['base64', 'float', 'float']);
});

test('the list of models says what each can be asked for', async () => {
  const { data } = (await (await fetch(`${gateway.url}/v1/models`)).json()) as Json;
  const found = Object.fromEntries((data as Json[]).map(({ id, capabilities }) => [id, capabilities]));
  const chat = ['chat', 'tools', 'images', 'audio', 'files'];
  expect(found).toMatchObject({
    openai: [...chat, 'embeddings'],
    'openai:small': ['embeddings'],
    ollama: chat,
    'ollama:llama': [...chat, 'embeddings'],
    odd: ['chat', 'embeddings'],
  });
});

test('the tokens reach the answer, the log and the ledger', async () => {
  const { usage } = await client.embeddings.create({ model: 'openai:counted', input: ['a', 'b'] });
  expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
  await gateway.untilOutput(/embeddings.*counted-2026.*input_tokens=4/);
  const folder = join(home.directory, '.local/state/drivebay/usage');
  await expect(client.embeddings.create({ model: 'gemini', input: 'x' })).resolves.toMatchObject({
    usage: { prompt_tokens: 0, total_tokens: 0 },
  });
  // The ledger is written by then: this is the last test.
  await gateway.stop();
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
  const booked = lines.map((line) => JSON.parse(line) as Json).find(({ model }) => model === 'counted-2026');
  expect(booked).toMatchObject({
    provider: 'openai',
    usage: { inputTokens: 4, outputTokens: 0 },
    costUsd: 2,
    ok: true,
  });
});

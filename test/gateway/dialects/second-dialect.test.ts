import type { ChatEvent } from '../../../core/contract/api';
import { DeviceTable } from '../../../core/devices/device-table';
import type { LlmDevice } from '../../../core/devices/device';
import { digestOf } from '../../../core/config/client-keys';
import type { Dialect } from '../../../core/gateway/dialect';
import { chatCompletions } from '../../../core/gateway/dialects/chat-completions/chat-completions';
import { Gateway } from '../../../core/gateway/gateway';
import { routeModel } from '../../../core/gateway/route-model';
import { type StreamForm, StreamedChat } from '../../../core/gateway/streamed-chat';
import { CallError, gatewayError } from '../../../core/gateway/to-http-error';
import { DriverError } from '../../../core/contract/driver-error';
import type { Caller } from '../../../core/providers/caller';
import { QueueFullError } from '../../../core/limits/slots';
import { Users } from '../../../core/providers/users';
import { sendJson } from '../../../core/serving/send';

/** Frames of an event stream with the names of the events. */
const frames: StreamForm = {
  frames: (event) => (event.type === 'text' ? `event: text\ndata: ${JSON.stringify(event.text)}\n\n` : ''),
  leftovers: () => '',
  veil: (event) => event,
  end: () => 'event: stop\n\n',
  fail: ({ code }) => `event: error\ndata: ${code}\n\n`,
  keepAlive: () => 'event: ping\n\n',
};

/** Another wire than chat-completions in every point: it needs no file of the gateway to change. */
const telegraph: Dialect = {
  name: 'telegraph',
  bodyLimit: 100,
  headers: { key: ['x-wire-key'], id: ['telegram-id'], exposed: ['x-again'] },
  calls: [
    {
      kind: 'telegram',
      paths: ['/telegraph', '/v1/telegraph'],
      parse(body) {
        const { to, text } = JSON.parse(body.toString()) as { to?: string; text?: string };
        if (text === undefined) throw gatewayError('invalid_request', 'no text', { param: 'text' });
        const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];
        return new StreamedChat(to ?? '', { stream: true, messages, extra: {} }, frames);
      },
    },
    {
      kind: 'count',
      paths: ['/telegraph/count'],
      parse: (body) => ({
        model: '',
        isStream: false,
        run({ response, headers }) {
          sendJson(response, 200, { length: body.length }, headers);
          return Promise.resolve({ usage: undefined, model: undefined, costUsd: 0 });
        },
        fail: () => undefined,
      }),
    },
  ],
  patienceS: 7,
  recognizes: ({ headers }) => headers['wire-version'] !== undefined,
  models: {
    paths: ['/telegraph/offices'],
    more: (entries) => entries.map((entry) => ({ ...entry, id: `wire/${entry.id}` })),
    list: (entries) => ({ offices: entries.map(({ id }) => id) }),
    entry: ({ id, model }) => ({ office: id, model: model ?? null }),
  },
  route: (model, devices, defaultProvider) => routeModel(model || defaultProvider!, devices, undefined),
  spellError: (error) => ({
    status: error.code === 'upstream_error' ? 400 : error.status,
    headers: { ...error.headers, 'x-again': String(error instanceof CallError && error.mayRetry) },
    body: { stop: error.code, why: error.message },
  }),
  loadRoutes: () =>
    Promise.resolve([
      { method: 'get', path: '/wires', handle: (_, response) => void response.end() },
      { method: 'get', path: '/telegraph/:id', handle: ({ params }, response) => sendJson(response, 200, params) },
    ]),
};

let chat: (emit: (event: ChatEvent) => unknown) => Promise<unknown>;
let caller: Caller;
const health = { state: 'healthy' };
const device = {
  kind: 'llm',
  driver: 'd',
  driverKind: 'http',
  capabilities: {} as LlmDevice['capabilities'],
  path: '/dev/llm/office',
  name: 'office',
  health,
  users: new Users(),
  refresh: () => Promise.resolve(health),
  restOf: () => undefined,
  async chat(_request, asking, emit) {
    caller = asking;
    await chat(emit);
    return { usage: undefined, model: undefined, costUsd: 0 };
  },
} as Partial<LlmDevice> as LlmDevice;

const lines: unknown[] = [];
const log = (message: string, fields?: object) => void lines.push({ message, ...fields });
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  gateway = new Gateway({
    devices: new DeviceTable([device]),
    defaultProvider: 'office',
    access: { allowHosts: [], allowOrigins: ['http://page'], keyDigest: digestOf('secret') },
    log: { debug: log, info: log, warn: log, error: log },
    product: 'test',
    dialects: [chatCompletions, telegraph],
  });
  url = `http://127.0.0.1:${(await gateway.listen(0)).port}`;
});
afterAll(() => gateway.drain());
afterEach(() => jest.useRealTimers());

const KEY = { 'x-wire-key': 'secret' };
const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { headers: KEY, ...init });
const post = (path: string, body: object, headers: Record<string, string> = KEY) =>
  ask(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

test.each(['/telegraph', '/v1/telegraph'])(
  'a call at %s is parsed, routed and streamed as its dialect says',
  async (path) => {
    chat = (emit) => Promise.resolve(emit({ type: 'text', text: 'hi' }));
    const response = await post(path, { text: 'x' });
    expect(await response.text()).toBe('event: text\ndata: "hi"\n\nevent: stop\n\n');
    expect(response.headers.get('telegram-id')).toBe(response.headers.get('x-request-id'));
    expect(response.headers.get('x-drivebay-provider')).toBe('office');
    expect(lines).toContainEqual(expect.objectContaining({ message: 'telegram', provider: 'office', status: 200 }));
  },
);

test('a provider is told who asks, and how long an answer in one piece may take', async () => {
  chat = (emit) => Promise.resolve(emit({ type: 'text', text: 'hi' }));
  await (await post('/telegraph', { text: 'x' })).text();
  expect(caller).toMatchObject({ asker: { type: 'gateway', dialect: 'telegraph' } });
  // This one is a stream.
  expect(caller.patienceS).toBeUndefined();
});

describe('the list of models', () => {
  const version = { ...KEY, 'wire-version': '1' };
  const body = async (path: string, headers: Record<string, string>) => (await ask(path, { headers })).json();

  test('is in the form of the dialect for its clients, and in that of the first one for all others', async () => {
    expect(await body('/v1/models', version)).toEqual({ offices: ['office', 'wire/office'] });
    expect(await body('/v1/models', KEY)).toMatchObject({ object: 'list', data: [{ id: 'office' }] });
  });

  test('is at the paths of the dialect, too', async () => {
    expect(await body('/telegraph/offices', KEY)).toEqual({ offices: ['office', 'wire/office'] });
    expect(await body('/telegraph/offices/office', KEY)).toEqual({ office: 'office', model: null });
  });

  test('has entries of their own paths, by each name', async () => {
    expect(await body('/v1/models/wire/office', version)).toEqual({ office: 'wire/office', model: null });
    expect(await body('/v1/models/office', KEY)).toMatchObject({ id: 'office' });
    const response = await ask('/v1/models/nobody', { headers: version });
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ stop: 'model_not_found' }),
    ]);
  });
});

test('a call that is not a chat runs beside the chats', async () => {
  expect(await (await post('/telegraph/count', { text: 'x' })).json()).toEqual({ length: 12 });
  expect(lines).toContainEqual(expect.objectContaining({ message: 'count', status: 200 }));
});

test('a silence is broken every 15 s in the form of the dialect', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  let isRunning!: () => void;
  let end!: () => void;
  const running = new Promise<void>((resolve) => (isRunning = resolve));
  chat = () => (isRunning(), new Promise<void>((resolve) => (end = resolve)));
  const answer = post('/telegraph', { text: 'x' });
  await running;
  jest.advanceTimersByTime(30_000);
  end();
  expect(await (await answer).text()).toBe('event: ping\n\nevent: ping\n\nevent: stop\n\n');
});

describe('errors are spelled by the dialect of the path', () => {
  test.each([
    ['of access', '/telegraph', {}, {}, 401, 'invalid_api_key'],
    ['of parsing', '/telegraph', KEY, {}, 400, 'invalid_request'],
    ['of routing', '/telegraph', KEY, { to: 'nobody', text: 'x' }, 404, 'model_not_found'],
    ['of the body', '/telegraph', KEY, { text: 'x'.repeat(100) }, 413, 'request_too_large'],
    ['of a path below', '/telegraph/a/b', KEY, {}, 404, 'unknown_url'],
    ['of the type', '/telegraph', { ...KEY, 'content-type': 'text/plain' }, {}, 415, 'unsupported_media_type'],
  ])('%s', async (_name, path, headers, body, status, code) => {
    const response = await post(path, body, headers);
    expect([response.status, await response.json()]).toEqual([status, { stop: code, why: expect.any(String) }]);
  });

  test('of the driver, before and behind the head of the answer', async () => {
    const failure = new DriverError('unreachable', 'the line is cut');
    chat = () => Promise.reject(failure);
    const response = await post('/telegraph', { text: 'x' });
    expect([response.status, response.headers.get('x-again')]).toEqual([400, 'true']);
    chat = (emit) => {
      emit({ type: 'text', text: 'a' });
      return Promise.reject(failure);
    };
    expect(await (await post('/telegraph', { text: 'x' })).text()).toMatch(/"a"\n\nevent: error\ndata: upstream_error/);
  });

  test('of a full queue, with when to come back', async () => {
    chat = () => Promise.reject(new QueueFullError(2));
    const response = await post('/telegraph', { text: 'x' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await response.json()).toMatchObject({ stop: 'concurrency_limit' });
  });

  test('of the method, with what the path takes', async () => {
    const response = await ask('/telegraph', { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toMatchObject({ stop: 'method_not_allowed' });
  });

  test('of a path of no dialect, where the client is known', async () => {
    const response = await ask('/nothing', { headers: { ...KEY, 'wire-version': '1' } });
    expect(await response.json()).toMatchObject({ stop: 'unknown_url' });
  });

  test('and of every other path by the first dialect', async () => {
    expect(await (await ask('/nothing')).json()).toMatchObject({ error: { code: 'unknown_url' } });
    expect((await post('/v1/chat/completions', {}, KEY)).status).toBe(401);
  });
});

test('it serves more than calls, HEAD too', async () => {
  expect((await ask('/wires', { method: 'HEAD' })).status).toBe(200);
  expect(await (await ask('/telegraph/7')).json()).toEqual({ id: '7' });
});

test('pages of an allowed origin may read its headers', async () => {
  const response = await ask('/wires', { headers: { ...KEY, origin: 'http://page' } });
  expect(response.headers.get('access-control-expose-headers')).toMatch(/x-request-id.*x-again/);
});

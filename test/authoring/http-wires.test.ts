import { conformanceCases, httpBackend, type HttpPiece, json, lines, sse } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';

/** Sends bare texts, not JSON. */
const DRIVER = `
module.exports = (context) => ({
  async *chat(request, call) {
    const response = await context.http.request(context.options.base_url, { method: 'POST', signal: call.signal, body: '{}' });
    for await (const data of response.events()) yield { type: 'text', text: data };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});`;

const home = tempHome();
const event = (text: string): HttpPiece[] => ['data: ', `${text}\n`, 5, '\n'];

test.each([
  ['texts that begin with a space, and waits', (pieces: string[]) => sse(pieces.flatMap(event))],
  ['lines that end with CR LF already', (pieces: string[]) => sse(pieces.map((text) => `data: ${text}\r\n\r\n`))],
  [
    'single bytes',
    (pieces: string[]) =>
      sse(
        [
          ...Buffer.from(
            pieces
              .flatMap(event)
              .filter((piece) => typeof piece === 'string')
              .join(''),
          ),
        ].map((byte) => Uint8Array.of(byte)),
      ),
  ],
])('a right driver passes the case of other line ends where its wire has %s', async (_name, answer) => {
  const directory = home.plugin('bare', { code: DRIVER, manifest: { kind: 'http', options: { base_url: {} } } });
  const backend = httpBackend({
    options: (url) => ({ base_url: url }),
    answer: ({ pieces }) => answer(pieces),
    failure: ({ status, message }) => json({ error: message }, { status }),
    received: () => ({ texts: [] }),
  });
  const { run } = conformanceCases({ directory, backend }).find(({ id }) => id === 'answer.line-ends')!;
  await run();
});

/** Gets a token for its key before each chat. */
const TOKEN_DRIVER = `
module.exports = (context) => {
  async function ask(path, call, key, body) {
    const headers = { authorization: 'Bearer ' + key };
    const response = await context.http.request(context.options.base_url + path, { headers, signal: call.signal, body });
    if (response.status !== 200) throw await response.error();
    return response;
  }
  return {
    async *chat(request, call) {
      const { token } = await (await ask('/token', call, context.requireApiKey())).json();
      const response = await ask('/chat', call, token, JSON.stringify({}));
      for await (const { text, end } of response.jsonLines()) {
        if (text) yield { type: 'text', text };
        if (end) return yield { type: 'finish', reason: end };
      }
      throw context.error('protocol', 'cut short', { kind: 'truncated' });
    },
    async check(call) { await (await ask('/token', call, context.requireApiKey())).text(); },
  };
};`;

describe('a driver that asks for a token before each chat', () => {
  const manifest = { kind: 'http', options: { base_url: {}, api_key_env: {} } };
  const directory = home.plugin('token', { code: TOKEN_DRIVER, manifest });
  const backend = httpBackend({
    options: (url) => ({ base_url: url }),
    probe: ({ path }) => (path === '/token' ? json({ token: 'a-token' }) : undefined),
    answer: ({ pieces, finish }) => lines([...pieces.map((text) => ({ text })), { end: finish }]),
    failure: ({ status, message }) => json({ error: message }, { status }),
    received: () => ({ texts: [] }),
  });
  const cases = conformanceCases({ directory, backend });
  const meant = cases.filter(({ id, excluded }) => /^(cancel|failure|lifecycle)\./.test(id) && !excluded);
  test.each(meant.map(({ id, name, run }) => [id, name, run] as const))('passes %s: %s', (_id, _name, run) => run());
});

test('a driver in plain JavaScript whose check gives no promise passes the cases of checks that work', async () => {
  const code = 'module.exports = () => ({ async *chat() {}, check() {} });';
  const directory = home.plugin('quick', { code, manifest: { kind: 'http', options: {} } });
  const backend = httpBackend({
    options: () => ({}),
    answer: () => json({}),
    failure: () => json({}),
    received: () => ({ texts: [] }),
  });
  const ids = ['lifecycle.check', 'lifecycle.check-canceled'];
  const meant = conformanceCases({ directory, backend }).filter(({ id }) => ids.includes(id));
  expect(meant).toHaveLength(ids.length);
  for (const { run } of meant) await run();
});

/** Reads lines of JSON up to the one that ends the answer. What comes after it is of no interest. */
const LINES_DRIVER = `
module.exports = (context) => ({
  async *chat(request, call) {
    const response = await context.http.request(context.options.base_url, { method: 'POST', call, body: '{}' });
    for await (const { text, end } of response.jsonLines()) {
      if (text) yield { type: 'text', text };
      if (end) return yield { type: 'finish', reason: end };
    }
    throw context.error('protocol', 'cut short', { kind: 'truncated' });
  },
  async check() {},
});`;

describe.each([
  ['a whole answer and a line after it', (text: string[], end: string) => [{ text: text.join(''), end }, { cost: 0 }]],
  [
    'many lines after its end',
    (text: string[], end: string) => [...text.map((each) => ({ text: each })), { end }, ...Array<object>(30).fill({})],
  ],
])('a right driver whose server sends %s', (_name, linesOf) => {
  const directory = home.plugin('lines', { code: LINES_DRIVER, manifest: { kind: 'http', options: { base_url: {} } } });
  const backend = httpBackend({
    options: (url) => ({ base_url: url }),
    answer: ({ pieces, finish }) => lines(linesOf(pieces, finish)),
    failure: ({ status, message }) => json({ error: message }, { status }),
    received: () => ({ texts: [] }),
    cannot: { hold: 'some answers come at once' },
  });
  const meant = conformanceCases({ directory, backend }).filter(({ id }) => /cut-short|reset|cancel\./.test(id));
  const runs = meant.filter(({ excluded }) => !excluded).map(({ id, run }) => [id, run] as const);
  test.each(runs)('passes %s', (_id, run) => run());
});

/** Takes talks of users and models in turn only, gets images itself, and keeps the token that its key has got. */
const STRICT_DRIVER = `
module.exports = (context) => {
  let token;
  const ask = (path, call, body, key) =>
    context.http.request(context.options.base_url + path, { call, body, headers: { 'content-type': 'application/json', 'x-key': key } });
  return {
    async *chat(request, call) {
      request.messages.forEach(({ role, parts }, index) => {
        if (role !== ['user', 'assistant'][index % 2]) throw context.error('invalid_request', 'in turn only');
        if (parts.some(({ type }) => type === 'image')) throw context.error('unreachable', 'nobody at this address');
      });
      token ??= await (await ask('/token', call, '{}', context.apiKey())).json();
      yield* (await ask('/chat', call, JSON.stringify(request), token.for)).jsonLines();
    },
    async check() {},
  };
};`;

describe('a driver that refuses what it cannot, and logs in once', () => {
  const manifest = { kind: 'http', options: { base_url: {}, api_key_env: {} }, capabilities: { images: true } };
  const directory = home.plugin('strict', { code: STRICT_DRIVER, manifest });
  const backend = httpBackend({
    options: (url) => ({ base_url: url }),
    token: 'kit-token-4711',
    probe: ({ path, headers }) => (path.endsWith('/token') ? json({ for: headers['x-key'] }) : undefined),
    answer: ({ pieces, finish }) =>
      lines([...pieces.map((text) => ({ type: 'text', text })), { type: 'finish', reason: finish }]),
    failure: ({ status, message }) => json({ error: message }, { status }),
    received: ({ headers }) => ({ texts: [], key: headers['x-key'] }),
  });
  const ids = ['request.roles', 'request.key-renewed', 'parts.image-address'];
  test.each(ids)('passes %s', (id) =>
    conformanceCases({ directory, backend })
      .find((each) => each.id === id)!
      .run(),
  );
});

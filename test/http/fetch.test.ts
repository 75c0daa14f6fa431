import { setImmediate as turn } from 'node:timers/promises';
import type { HttpPool } from '../../core/http/http-pool';
import { json, raw, STALL, Upstream } from '../setup/upstream';
import { failureOf, openPool, withoutTimeouts } from './open-pool';

let upstream: Upstream;
let pool: HttpPool;

beforeEach(async () => {
  upstream = await Upstream.start();
  pool = openPool();
});

afterEach(async () => {
  await pool.close();
  await upstream.close();
});

/** The driver error under a rejection of `fetch`, where SDKs find it, too. */
const causeOf = (work: Promise<unknown>) =>
  failureOf(
    work.catch((error: TypeError) => {
      expect([error.name, error.message]).toEqual(['TypeError', 'fetch failed']);
      throw error.cause;
    }),
  );

const until = async (condition: () => boolean) => {
  while (!condition()) await turn();
};

describe('a fetch', () => {
  test('is a GET of a string or a URL, and needs no options', async () => {
    upstream.answer(json({ ok: true }, { headers: { 'X-Some': 'thing' } }));
    const { fetch } = pool;
    const response = await fetch(`${upstream.url}/a?b=1`);
    expect([response.status, response.ok, response.statusText]).toEqual([200, true, 'OK']);
    expect([response.url, response.redirected]).toEqual([`${upstream.url}/a?b=1`, false]);
    expect(response.headers.get('x-some')).toBe('thing');
    expect(await response.json()).toEqual({ ok: true });
    await (await fetch(new URL(upstream.url))).text();
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', path: '/a?b=1', body: '' });
  });

  test.each([
    ['a Headers', new Headers({ 'X-One': '1', 'Content-Type': 'application/json' })],
    ['a list', [['X-One', '1'], ['content-type', 'application/json']] as [string, string][]], // prettier-ignore
    ['an object', { 'X-One': '1', 'CONTENT-TYPE': 'application/json' }],
  ])('takes its headers from %s', async (_, headers) => {
    upstream.answer(json({}));
    await (await pool.fetch(upstream.url, { method: 'post', headers, body: '{"a":1}' })).text();
    expect(upstream.requests[0]).toMatchObject({ method: 'POST', headers: { 'x-one': '1' }, body: { a: 1 } });
  });

  test.each<[string, () => NonNullable<RequestInit['body']>, string, string]>([
    ['a string', () => 'é', 'text/plain;charset=UTF-8', 'é'],
    ['bytes', () => Buffer.from('xéx').subarray(1, 3), 'undefined', 'é'],
    ['an ArrayBuffer', () => new TextEncoder().encode('é').buffer, 'undefined', 'é'],
    ['a form', () => new URLSearchParams({ a: 'b c' }), 'application/x-www-form-urlencoded;charset=UTF-8', 'a=b+c'],
    ['a Blob', () => new Blob(['é'], { type: 'image/png' }), 'image/png', 'é'],
    ['a stream', () => new Blob(['é']).stream(), 'undefined', 'é'],
  ])('sends %s', async (_, body, type, text) => {
    upstream.answer(json({}));
    await (await pool.fetch(upstream.url, { method: 'PUT', body: body(), duplex: 'half' })).text();
    expect(upstream.requests[0]).toMatchObject({ method: 'PUT', body: text });
    expect(String(upstream.requests[0]?.headers['content-type'])).toBe(type);
  });

  test('takes a Request, and options over it', async () => {
    upstream.answer(json({}));
    const request = new Request(upstream.url, { method: 'POST', body: 'one', headers: { 'x-one': '1' } });
    await (await pool.fetch(request, { method: 'PUT' })).text();
    expect(upstream.requests[0]).toMatchObject({ method: 'PUT', body: 'one', headers: { 'x-one': '1' } });
  });
});

describe('the answer of a fetch', () => {
  test('reads as blob, array buffer, and as a copy', async () => {
    upstream.answer(json(['é']));
    expect(await (await (await pool.fetch(upstream.url)).blob()).text()).toBe('["é"]');
    expect((await (await pool.fetch(upstream.url)).arrayBuffer()).byteLength).toBe(6);
    const response = await pool.fetch(upstream.url);
    const copy = response.clone();
    expect([await copy.json(), await response.json()]).toEqual([['é'], ['é']]);
  });

  test('is read once', async () => {
    upstream.answer(json({}));
    const response = await pool.fetch(upstream.url);
    expect(response.bodyUsed).toBe(false);
    await response.text();
    expect(response.bodyUsed).toBe(true);
    await expect(response.json()).rejects.toThrow('has been read already');
    await expect(response.blob()).rejects.toThrow('has been read already');
    const streamed = await pool.fetch(upstream.url);
    await streamed.body?.getReader().read();
    await expect(streamed.text()).rejects.toThrow();
  });

  test('without a body has none', async () => {
    upstream.answer(raw([], { status: 204 }));
    const response = await pool.fetch(upstream.url);
    expect([response.ok, response.body, await response.text()]).toEqual([true, null, '']);
  });

  test('comes as a stream while it arrives', async () => {
    let letGo!: () => void;
    upstream.answer(raw(['one', new Promise<void>((resolve) => (letGo = resolve)), 'two']));
    const reader = (await pool.fetch(upstream.url)).body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    expect(await read()).toBe('one');
    letGo();
    expect(await read()).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  test('slows the server down while it is not read', async () => {
    const piece = Buffer.alloc(256 * 1024);
    let sent = 0;
    const pieces = Array.from({ length: 64 }, () => [() => (sent += 1), piece]).flat();
    upstream.answer(raw(pieces));
    const response = await pool.fetch(upstream.url);
    const reader = response.body!.getReader();
    await reader.read();
    // Until the server stands still: what fits into the sockets' buffers is far from all of it.
    for (let before = -1; before !== sent; await new Promise((resolve) => setTimeout(resolve, 100))) before = sent;
    expect(sent).toBeLessThan(64);
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
    expect(sent).toBe(64);
    expect(size).toBeGreaterThan(60 * piece.length);
  });

  test.each(['text', 'json'] as const)('that is an error and never ends gives its beginning as %s', async (method) => {
    upstream.answer(raw(['{"error": "x"}', ' '.repeat(70_000), STALL], { status: 500 }));
    const response = await pool.fetch(upstream.url);
    expect(JSON.stringify(await response[method]())).toContain('error');
    await upstream.clientClosed();
  });
});

describe('a fetch that fails', () => {
  test('has the driver error as the cause of a TypeError', async () => {
    const url = upstream.url;
    await upstream.close();
    const failure = await causeOf(pool.fetch(url));
    expect(failure.code).toBe('unreachable');
    expect(failure.message).toContain('refused the connection');
    upstream = await Upstream.start();
  });
});

describe('a fetch that is canceled', () => {
  test('before it starts rejects with the reason', async () => {
    const canceled = pool.fetch(upstream.url, { signal: AbortSignal.abort() });
    await expect(canceled).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each<[string, (response: Awaited<ReturnType<HttpPool['fetch']>>, abort: () => void) => unknown]>([
    ['by its signal', (_, abort) => abort()],
    ['by the body', (response) => response.body?.cancel()],
    ['by discard', (response) => response.discard()],
  ])('%s closes the connection in the middle of the body', async (_, cancel) => {
    upstream.answer(raw(['one', STALL]));
    const abort = new AbortController();
    const response = await pool.fetch(upstream.url, { signal: abort.signal });
    await until(() => upstream.openStreams === 1);
    await withoutTimeouts(async () => {
      await cancel(response, () => abort.abort());
      await upstream.clientClosed();
    });
  });

  test('ends a reader of the stream with `canceled`', async () => {
    upstream.answer(raw(['one', STALL]));
    const abort = new AbortController();
    const reader = (await pool.fetch(upstream.url, { signal: abort.signal })).body!.getReader();
    await reader.read();
    const next = reader.read();
    abort.abort();
    expect(await failureOf(next)).toMatchObject({ code: 'canceled' });
  });
});

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { setImmediate as turn } from 'node:timers/promises';
import type { HttpResponse } from '../../core/contract/api';
import type { HttpPool } from '../../core/http/http-pool';
import { CUT, DONE, json, raw, sse, STALL, Upstream, type Answer } from '../setup/upstream';
import { failureOf, openPool, withoutTimeouts } from './open-pool';

let upstream: Upstream;
let pool: HttpPool;
let abort: AbortController;

beforeEach(async () => {
  upstream = await Upstream.start();
  pool = openPool();
  abort = new AbortController();
});

afterEach(async () => {
  await pool.close();
  await upstream.close();
});

function ask(answer: Answer): Promise<HttpResponse> {
  upstream.answer(answer);
  return pool.request(upstream.url, { signal: abort.signal, body: '{}' });
}

async function take<Item>(items: AsyncIterable<Item>, seen: Item[] = []): Promise<Item[]> {
  for await (const item of items) seen.push(item);
  return seen;
}

const collect = (response: HttpResponse) => take(response.events());

describe('text and json', () => {
  test('read the whole body, in any pieces', async () => {
    const response = await ask(raw(['\uFEFFé€😀'.repeat(50)], { split: 1 }));
    expect(await response.text()).toBe('é€😀'.repeat(1) + '\uFEFFé€😀'.repeat(49));
  });

  test('refuse a body above the limit and close the connection', async () => {
    const response = await ask(raw(['x'.repeat(1000), STALL]));
    expect(await failureOf(response.text(999))).toMatchObject({ code: 'protocol' });
    await upstream.clientClosed();
  });

  test.each([
    ['HTML', '<!DOCTYPE html><html><title>Nope</title></html>', /answered with HTML instead of JSON: <!DOCTYPE html>/],
    ['text', `not\n json ${'x'.repeat(500)}`, /instead of JSON: not json x{191}$/],
    ['nothing', '', /answered 200 with an empty body/],
  ])('say that %s is no JSON', async (_, body, message) => {
    const error = await failureOf((await ask(raw([body]))).json());
    expect(error.code).toBe('protocol');
    expect(error.message).toMatch(message);
  });
});

test('a web page in place of an answer has a hint about base_url', async () => {
  const error = await failureOf((await ask(raw(['<html><body>log in</body></html>']))).json());
  expect(error.hint).toBe('check base_url: it leads to a web page');
});

test('so has a redirect', async () => {
  const response = await ask(raw([''], { status: 307, headers: { location: 'https://other.example/v1' } }));
  expect((await response.error()).hint).toBe('if that is the address of the API, set base_url to it');
});

test.each([
  ['/v1//chat', 404, 'take the slash at the end of base_url away: the request went to /v1//chat'],
  ['//chat', 405, 'take the slash at the end of base_url away: the request went to //chat'],
  ['//chat', 500, undefined],
  ['/v1/chat', 404, undefined],
  ['/by/https://api.example/chat', 404, undefined],
])('%s with status %s has the hint %s', async (path, status, hint) => {
  upstream.answer(json({ error: 'no such page' }, { status }));
  const response = await pool.request(upstream.url + path, { signal: abort.signal, body: '{}' });
  expect((await response.error()).hint).toBe(hint);
});

test('bytes come as they arrive', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const response = await ask(raw(['first', gate, 'second']));
  const seen: string[] = [];
  for await (const bytes of response.bytes()) {
    seen.push(Buffer.from(bytes).toString());
    release();
  }
  expect(seen).toEqual(['first', 'second']);
});

describe('a compressed body', () => {
  const text = JSON.stringify({ a: 'é'.repeat(1000) });

  test.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ])('is unpacked: %s', async (encoding, bytes) => {
    const response = await ask(raw([bytes], { split: 7, headers: { 'content-encoding': encoding } }));
    expect(await response.text()).toBe(text);
  });

  test('gives events', async () => {
    const bytes = gzipSync('data: a\n\ndata: b\n\n');
    expect(await collect(await ask(sse([bytes], { headers: { 'content-encoding': 'gzip' } })))).toEqual(['a', 'b']);
  });

  test.each([
    ['is broken', 'gzip', [Buffer.from('no gzip')], 'protocol', 'protocol'],
    ['ends too early', 'gzip', [gzipSync(text).subarray(0, 20)], 'protocol', 'protocol'],
    ['is cut', 'gzip', [gzipSync(text).subarray(0, 20), CUT], 'protocol', 'truncated'],
    ['is of an unknown kind', 'zstd', ['?'], 'protocol', 'protocol'],
  ])('that %s is a protocol error', async (_, encoding, pieces, code, kind) => {
    const response = await ask(raw(pieces, { headers: { 'content-encoding': encoding } }));
    expect(await failureOf(response.text())).toMatchObject({ code, kind });
  });

  test('is left early without a complaint', async () => {
    const bytes = gzipSync('data: a\n\ndata: b\n\n');
    const response = await ask(sse([bytes, STALL], { headers: { 'content-encoding': 'gzip' } }));
    for await (const event of response.events()) {
      expect(event).toBe('a');
      break;
    }
    await upstream.clientClosed();
  });
});

describe('events', () => {
  test('arrive one by one, before the body ends', async () => {
    const events = (await ask(sse(['data: a\n\n', 'data: b\n\n', STALL]))).events()[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({ done: false, value: 'a' });
    expect(await events.next()).toEqual({ done: false, value: 'b' });
  });

  test('of one network read come out without a turn of the event loop', async () => {
    const response = await ask(sse(['data: a\n\ndata: b\n\ndata: c\n\n', STALL]));
    const events = response.events()[Symbol.asyncIterator]();
    await events.next();
    let turns = 0;
    setImmediate(() => (turns += 1));
    await events.next();
    await events.next();
    expect(turns).toBe(0);
  });

  test('before a cut are delivered, then it is told', async () => {
    const response = await ask(sse(['data: a\n\n', 'data: half', CUT]));
    const seen: string[] = [];
    expect(await failureOf(take(response.events(), seen))).toMatchObject({ code: 'protocol', kind: 'truncated' });
    expect(seen).toEqual(['a']);
  });

  test('left at the end of the body leave the connection for the next request', async () => {
    const response = await ask(sse([DONE, ': rest\n\n']));
    for await (const event of response.events()) if (event === '[DONE]') break;
    await upstream.until(() => upstream.openStreams === 0);
    await turn();
    await turn();
    expect(await collect(await ask(sse([DONE])))).toEqual(['[DONE]']);
    expect(upstream.connections).toBe(1);
  });

  test.each([
    ['is large', ['x'.repeat(200_000), STALL]],
    ['does not end', [STALL]],
  ])('left early close the connection when the rest %s', async (_, rest) => {
    const response = await ask(sse(['data: a\n\n', ...rest]));
    for await (const event of response.events()) if (event === 'a') break;
    await upstream.clientClosed();
  });
});

describe('lines', () => {
  const linesOf = async (answer: Answer) => take((await ask(answer)).lines());

  test.each([undefined, 1, 3])(
    'come out whole from writes of %p bytes, the last one without an end, too',
    async (split) => {
      const answer = raw(['\uFEFFé\r\n\n😀\u2028\nlast'], split === undefined ? {} : { split });
      expect(await linesOf(answer)).toEqual(['é', '', '😀\u2028', 'last']);
    },
  );

  test('that are too long are a protocol error and close the connection', async () => {
    const pieces = Array.from({ length: 17 }, () => 'x'.repeat(1024 * 1024));
    expect(await failureOf(linesOf(raw([...pieces, STALL])))).toMatchObject({
      code: 'protocol',
      kind: 'line_too_long',
    });
    await upstream.clientClosed();
  });
});

describe('lines of JSON', () => {
  const read = async (pieces: Answer['pieces'], seen?: unknown[]) => take((await ask(raw(pieces))).jsonLines(), seen);

  test('arrive as values while the body is open', async () => {
    const values = (await ask(raw(['{"a":', '1}\n[2]\n', STALL]))).jsonLines()[Symbol.asyncIterator]();
    expect(await values.next()).toEqual({ done: false, value: { a: 1 } });
    expect(await values.next()).toEqual({ done: false, value: [2] });
  });

  test('may have blank lines between them, and no end after the last', async () => {
    expect(await read(['\n1\r\n \r\n\nnull\n"last"'])).toEqual([1, null, 'last']);
  });

  test('that are something else are a protocol error with their beginning, after the values before', async () => {
    const seen: unknown[] = [];
    const failure = await failureOf(read([`1\n<html> ${'x'.repeat(500)}\n2\n`, STALL], seen));
    expect(failure).toMatchObject({ code: 'protocol', status: 200 });
    expect(failure.message).toMatch(/sent a line that is not JSON: <html> x{193}$/);
    expect(seen).toEqual([1]);
    await upstream.clientClosed();
  });

  test('can be left before nonsense, and while a read is pending', async () => {
    for await (const value of (await ask(raw(['1\nnonsense\n', STALL]))).jsonLines()) {
      expect(value).toBe(1);
      break;
    }
    await upstream.clientClosed();
    const values = (await ask(raw(['\n', STALL]))).jsonLines()[Symbol.asyncIterator]();
    const pending = values.next();
    await values.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});

describe('discard', () => {
  test('closes the connection at once', async () => {
    (await ask(raw(['x', STALL]))).discard();
    await upstream.clientClosed();
  });

  test('of a complete answer does nothing', async () => {
    const response = await ask(json({}));
    await response.text();
    response.discard();
    expect(upstream.openConnections).toBe(1);
  });
});

describe('error', () => {
  const refusal = { error: { message: 'No\n  way' } };
  const LOCATION = { location: 'https://a:b@host.example/x?key=secret' };

  test.each<[number, string, RegExp, Answer]>([
    [401, 'auth', /^127\.0\.0\.1:\d+ answered 401: No way$/, json(refusal, { status: 401 })],
    [403, 'auth', /answered 403: No way$/, json(refusal, { status: 403 })],
    [429, 'rate_limited', /answered 429: No way$/, json(refusal, { status: 429, headers: { 'retry-after': '7' } })],
    [400, 'rejected', /answered 400: No way$/, json(refusal, { status: 400 })],
    [404, 'rejected', /answered 404: No way$/, json(refusal, { status: 404 })],
    [408, 'upstream', /answered 408: No way$/, json(refusal, { status: 408 })],
    [409, 'rejected', /answered 409: No way$/, json(refusal, { status: 409 })],
    [425, 'upstream', /answered 425: No way$/, json(refusal, { status: 425 })],
    [500, 'upstream', /so far$/, raw(['so far', CUT], { status: 500 })],
    [502, 'upstream', /^.{1900,2100}$/, raw(['x'.repeat(100_000), STALL], { status: 502 })],
    [503, 'upstream', /answered 503 Service Unavailable$/, raw([''], { status: 503 })],
    [529, 'upstream', /answered 529: No way$/, json(refusal, { status: 529 })],
    // Without secrets.
    [
      308,
      'rejected',
      /to https:\/\/host\.example\/x, which is not foll/,
      raw([''], { status: 308, headers: LOCATION }),
    ],
  ])('of status %i is %s: %s', async (status, code, message, answer) => {
    const error = await (await ask(answer)).error();
    expect(error).toMatchObject({ code, status, message: expect.stringMatching(message) });
    expect(error.retryAfterS).toBe(status === 429 ? 7 : undefined);
  });

  test('has the kind and the hint that the driver gives', async () => {
    const advice = { kind: 'usage_limit', hint: 'top up at host.example' } as const;
    const error = await (await ask(json({ error: 'empty' }, { status: 429 }))).error(advice);
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, ...advice });
  });

  test('waits 5 s at most for a body that does not end', async () => {
    let isSent = false;
    const response = await ask(raw(['slow', () => (isSent = true), STALL], { status: 500 }));
    const error = await withoutTimeouts(async () => {
      const failure = response.error();
      while (!isSent) await turn();
      for (let turns = 0; turns < 10; turns += 1) await turn();
      jest.advanceTimersByTime(5_000);
      return failure;
    });
    expect(error.message).toMatch(/answered 500: slow$/);
  });
});

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { HttpPool } from '../../core/http/http-pool';
import type { RequestBody } from '../../core/http/pool-request';
import { CUT, json, raw, STALL, Upstream } from '../setup/upstream';
import { newCall } from '../plugins/harness';
import { failureOf, openPool, withoutTimeouts } from './open-pool';

const signal = new AbortController().signal;
const post = { signal, body: '{}', headers: { 'content-type': 'application/json' } };

let upstream: Upstream;
let pool: HttpPool;
let rawServer: Server | undefined;

beforeEach(async () => {
  upstream = await Upstream.start();
  pool = openPool();
});

afterEach(async () => {
  await pool.close();
  await upstream.close();
  rawServer?.close();
});

/** One request whose connection is idle again afterwards: the library waits a turn before it uses one again. */
async function warmUp(url = upstream.url): Promise<void> {
  await (await pool.request(url, post)).json();
  await turn();
  await turn();
}

const TEXT_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 24\r\n\r\nHTTP/1.1 100 is text\r\n\r\n';

/** Sends a piece in a packet of its own. */
async function send(socket: Socket, piece: string): Promise<void> {
  socket.setNoDelay(true);
  socket.write(piece);
  await turn();
}

/** A server below HTTP, for answers that no HTTP server gives. */
async function listen(onSocket: (socket: Socket) => void): Promise<string> {
  rawServer = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  rawServer.listen(0, '127.0.0.1');
  await once(rawServer, 'listening');
  return `http://127.0.0.1:${(rawServer.address() as AddressInfo).port}`;
}

describe('a request', () => {
  test('sends method, path, query, headers and body, and resolves with status and headers', async () => {
    upstream.answer(json({ ok: true }, { status: 201, headers: { 'X-Some': 'thing' } }));
    const response = await pool.request(`${upstream.url}/v1/chat?x=1`, { ...post, body: '{"a":"é"}' });
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ 'x-some': 'thing', 'content-type': 'application/json' });
    expect(await response.json()).toEqual({ ok: true });
    expect(upstream.requests[0]).toMatchObject({ method: 'POST', path: '/v1/chat?x=1', body: { a: 'é' } });
    expect(upstream.requests[0]?.headers['accept-encoding']).toBeUndefined();
  });

  test('joins repeated headers with a comma', async () => {
    const url = await listen((socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n'),
      );
    });
    const response = await pool.request(url, { signal });
    expect(response.headers['set-cookie']).toBe('a=1, b=2');
  });

  test.each([
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'],
    ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('is answered by what comes after an interim answer: %s', async (_, interim) => {
    for (const pieces of [[interim + TEXT_ANSWER], [interim, TEXT_ANSWER], [...(interim + TEXT_ANSWER)]]) {
      const url = await listen((socket) => {
        socket.on('data', () => void pieces.reduce((sent, piece) => sent.then(() => send(socket, piece)), turn()));
      });
      for (let n = 0; n < 2; n += 1) {
        const response = await pool.request(url, { signal });
        expect([response.status, await response.text()]).toEqual([200, 'HTTP/1.1 100 is text\r\n\r\n']);
      }
      rawServer?.close();
    }
  });

  test('says what a request of a driver in plain JavaScript lacks', async () => {
    const request = (address: string, options = {}) => pool.request(address, options);
    await expect(request('/v1/chat?key=x', post)).rejects.toThrow('a request needs a whole URL, found "/v1/chat"');
    await expect(request(upstream.url)).rejects.toThrow(
      'a request needs its call as the driver got it, no copy, or a signal',
    );
    expect(upstream.requests).toEqual([]);
  });

  test('uses one connection for requests after each other, and as many as it takes for those at once', async () => {
    upstream.answer(json({}));
    for (let n = 0; n < 3; n += 1) await warmUp();
    expect(upstream.connections).toBe(1);
    const all = Array.from({ length: 20 }, async () => {
      const own = { ...post, signal: new AbortController().signal };
      return (await pool.request(upstream.url, own)).json();
    });
    await Promise.all(all);
    expect(upstream.connections).toBe(20);
  });
});

describe('a stale keep-alive connection', () => {
  test('that closes before any byte of an answer repeats the request once', async () => {
    upstream.answer(json({ n: 1 }), raw([CUT]), json({ n: 3 }));
    await warmUp();
    const response = await pool.request(upstream.url, { ...post, body: '{"same":true}' });
    expect(await response.json()).toEqual({ n: 3 });
    expect(upstream.requests.map((request) => request.body)).toEqual([{}, { same: true }, { same: true }]);
  });

  test.each<[string, RequestBody, number]>([
    ['no more than once', '{}', 3],
    ['no body that is a stream', new Blob(['x']).stream() as AsyncIterable<Uint8Array>, 2],
  ])('repeats %s', async (_, body, requests) => {
    upstream.answer(json({}), raw([CUT]));
    await warmUp();
    expect((await failureOf(pool.request(upstream.url, { ...post, body }))).code).toBe('unreachable');
    expect(upstream.requests).toHaveLength(requests);
  });

  test('repeats on a connection of its own: the other idle ones may be stale, too', async () => {
    upstream.answer(json({}), raw([CUT]), json({}));
    await warmUp();
    await warmUp();
    expect(upstream.requests.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive', 'close']);
  });

  test('loses no request when the server drops idle connections all the time', async () => {
    upstream.answer(json({}));
    for (let n = 0; n < 100; n += 1) {
      await (await pool.request(upstream.url, post)).json();
      upstream.dropIdle();
    }
    expect(upstream.requests).toHaveLength(100);
  });

  test('is not suspected when a fresh connection is reset after the request was received', async () => {
    upstream.answer(raw([CUT]));
    const error = await failureOf(pool.request(upstream.url, post));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('closed the connection before it answered');
    expect(upstream.requests).toHaveLength(1);
  });

  test('is not suspected when a second connection, opened because the first is busy, is reset', async () => {
    upstream.answer(json({}), raw([STALL]), raw([CUT]));
    await warmUp();
    const abort = new AbortController();
    const busy = failureOf(pool.request(upstream.url, { ...post, signal: abort.signal }));
    await upstream.arrived(2);
    expect((await failureOf(pool.request(upstream.url, post))).code).toBe('unreachable');
    expect(upstream.connections).toBe(2);
    expect(upstream.requests).toHaveLength(3);
    abort.abort();
    await busy;
  });

  test('is not suspected after the first byte of an answer', async () => {
    let requests = 0;
    const url = await listen((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        else socket.write('HTTP/1.1 200 O', () => socket.destroy());
      });
    });
    await warmUp(url);
    expect((await failureOf(pool.request(url, post))).code).toBe('unreachable');
    expect(requests).toBe(2);
  });

  test('is not suspected when the request was canceled', async () => {
    upstream.answer(json({}), raw([STALL]));
    await warmUp();
    const abort = new AbortController();
    const failure = failureOf(pool.request(upstream.url, { ...post, signal: abort.signal }));
    await upstream.arrived(2);
    abort.abort();
    expect((await failure).code).toBe('canceled');
    await upstream.clientClosed(2);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a failure', () => {
  test('to connect is unreachable, names the server and asks whether it runs', async () => {
    const { url, port } = upstream;
    await upstream.close();
    const error = await failureOf(pool.request(`http://user:secret@127.0.0.1:${port}/v1?key=secret`, post));
    expect(error).toMatchObject({
      code: 'unreachable',
      hint: `start the server at ${url}, or correct base_url`,
    });
    expect(error.message).toBe(`127.0.0.1:${port} refused the connection`);
    upstream = await Upstream.start();
  });

  test.each([
    ['to find the host', () => 'http://no-such-host.invalid/', 'unreachable', 'network'],
    ['of TLS, from a server of plain HTTP,', () => `https://127.0.0.1:${upstream.port}/`, 'unreachable', 'http://'],
    [
      'to speak HTTP',
      () => listen((socket) => socket.once('data', () => socket.end('-ERR\r\n'))),
      'protocol',
      'base_url',
    ],
  ])('%s has a hint', async (_, url, code, hint) => {
    const error = await failureOf(pool.request(await url(), post));
    expect(error).toMatchObject({ code, hint: expect.stringContaining(hint) as string });
  });

  test('to send a key with a line break is an auth error without the key', async () => {
    const error = await failureOf(pool.request(upstream.url, { ...post, headers: { authorization: 'Bearer a\nb' } }));
    expect(error.code).toBe('auth');
    expect(error.message).not.toContain('a\nb');
  });

  test('by a body that goes silent is a timeout', async () => {
    upstream.answer(raw(['{"half":', STALL]));
    const hasty = openPool({ connectTimeoutMs: 10_000, bodyTimeoutMs: 200 });
    const response = await hasty.request(upstream.url, post);
    expect((await failureOf(response.text())).code).toBe('timeout');
    await hasty.close();
  });

  test.each([
    ['with a content length', raw(['{"half":', CUT], { headers: { 'content-length': '100' } })],
    ['in chunks', raw(['{"half":', CUT])],
    ['in chunks of a connection that closes', raw(['{"half":', CUT], { headers: { connection: 'close' } })],
  ])('by a body %s that is cut short is a truncated answer', async (_, answer) => {
    upstream.answer(answer);
    const response = await pool.request(upstream.url, post);
    expect(await failureOf(response.text())).toMatchObject({ code: 'protocol', kind: 'truncated' });
  });

  test('is never a redirect: it is answered as it came', async () => {
    upstream.answer(raw([''], { status: 307, headers: { location: '/elsewhere' } }));
    expect((await pool.request(upstream.url, post)).status).toBe(307);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('the signal', () => {
  test.each(['the call', 'its own signal'])('of a request with both ends it with %s', async (which) => {
    upstream.answer(raw([STALL]));
    const call = new AbortController();
    const own = new AbortController();
    const request = { ...post, call: newCall(call.signal), signal: own.signal };
    const failure = failureOf(pool.request(upstream.url, request));
    await upstream.arrived();
    (which === 'the call' ? call : own).abort(new Error('why'));
    expect(await failure).toMatchObject({ code: 'canceled', cause: { message: 'why' } });
  });

  test('that fired before sends nothing', async () => {
    const error = await failureOf(pool.request(upstream.url, { ...post, signal: AbortSignal.abort('why') }));
    expect(error).toMatchObject({ code: 'canceled', cause: 'why' });
    expect(upstream.connections).toBe(0);
  });

  test('cancels a request that waits for its head, and closes the connection', async () => {
    upstream.answer(raw([STALL]));
    const abort = new AbortController();
    const failure = failureOf(pool.request(upstream.url, { ...post, signal: abort.signal }));
    await upstream.arrived();
    abort.abort('why');
    expect(await failure).toMatchObject({ code: 'canceled', cause: 'why' });
    await upstream.clientClosed();
  });

  test('cancels a body in the middle at once', async () => {
    upstream.answer(raw(['{"half":', STALL]));
    const abort = new AbortController();
    const response = await pool.request(upstream.url, { ...post, signal: abort.signal });
    const failure = failureOf(response.text());
    await withoutTimeouts(async () => {
      abort.abort('why');
      expect(await failure).toMatchObject({ code: 'canceled', cause: 'why' });
      await upstream.clientClosed();
    });
  });

  test('opens no further connection for the request that it has ended', async () => {
    upstream.answer(raw(['{"half":', STALL]), json({}));
    const abort = new AbortController();
    await pool.request(upstream.url, { ...post, signal: abort.signal });
    abort.abort();
    await upstream.clientClosed();
    await warmUp();
    expect(upstream.connections).toBe(2);
  });

  test('cancels a request whose connection is still being made', async () => {
    const abort = new AbortController();
    // An address of the documentation range never answers, or has no route at once.
    const failure = failureOf(pool.request('http://192.0.2.1/', { ...post, signal: abort.signal }));
    abort.abort();
    expect((await failure).code).toBe('canceled');
  });
});

describe('closing the pool', () => {
  test('ends what runs and refuses what comes', async () => {
    upstream.answer(raw([STALL]));
    const failure = failureOf(pool.request(upstream.url, post));
    await upstream.arrived();
    await pool.close();
    expect((await failure).code).toBe('canceled');
    expect((await failureOf(pool.request(upstream.url, post))).code).toBe('canceled');
    await upstream.until(() => upstream.openConnections === 0);
  });

  test('works before the first request and twice', async () => {
    const unused = openPool();
    await unused.close();
    await unused.close();
  });
});

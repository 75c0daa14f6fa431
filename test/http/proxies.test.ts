import { setImmediate as turn } from 'node:timers/promises';
import { HttpPool } from '../../core/http/http-pool';
import { Proxies } from '../../core/http/proxies';
import { FakeProxy } from '../setup/fake-proxy';
import { freePort } from '../setup/running-gateway';
import { json, Upstream } from '../setup/upstream';
import { failureOf } from './open-pool';

const PROXY = 'http://proxy.test:3128';
const BOTH = { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://plain.test' };

test.each<[string, Record<string, string>, string | undefined]>([
  ['https://api.test/v1', BOTH, 'HTTPS_PROXY'],
  ['http://api.test/v1', BOTH, 'HTTP_PROXY'],
  ['https://api.test', { HTTP_PROXY: PROXY }, undefined],
  ['https://api.test', { HTTPS_PROXY: '', https_proxy: PROXY }, 'https_proxy'],
  ['https://api.test', { HTTPS_PROXY: 'http://other.test', https_proxy: PROXY }, 'https_proxy'],
  ['https://api.test', { HTTPS_PROXY: 'proxy.test:3128' }, 'HTTPS_PROXY'],
  ...['localhost', 'localhost.', 'a.localhost', '127.0.0.1', '127.8.9.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'].map(
    (host): [string, Record<string, string>, undefined] => [`http://${host}:8080`, BOTH, undefined],
  ),
  ['http://localhost.test', BOTH, 'HTTP_PROXY'],
  ['https://api.test', { ...BOTH, NO_PROXY: 'other.test, API.test' }, undefined],
  ['https://api.test', { ...BOTH, no_proxy: 'other.test .test' }, undefined],
  ['https://a.api.test', { ...BOTH, NO_PROXY: 'api.test' }, undefined],
  ['https://a.api.test', { ...BOTH, NO_PROXY: '*.api.test' }, undefined],
  ['https://myapi.test', { ...BOTH, NO_PROXY: 'api.test' }, 'HTTPS_PROXY'],
  ['https://api.test', { ...BOTH, NO_PROXY: 'api.test:443' }, undefined],
  ['https://api.test:8443', { ...BOTH, NO_PROXY: 'api.test:443' }, 'HTTPS_PROXY'],
  ['https://[fe80::1]', { ...BOTH, NO_PROXY: 'fe80::1' }, undefined],
  ['https://api.test', { ...BOTH, NO_PROXY: '*' }, undefined],
  ['https://10.1.2.3', { ...BOTH, NO_PROXY: '192.168.0.0/16,10.0.0.0/8' }, undefined],
  ['https://11.1.2.3', { ...BOTH, NO_PROXY: '10.0.0.0/8' }, 'HTTPS_PROXY'],
  ['https://[fd00::7]', { ...BOTH, NO_PROXY: 'fd00::/8' }, undefined],
  ['https://[fe80::7]', { ...BOTH, NO_PROXY: 'fd00::/8' }, 'HTTPS_PROXY'],
  ['https://10.1.2.3', { ...BOTH, NO_PROXY: '10.0.0.0/99, fd00::/8, 10.x/8' }, 'HTTPS_PROXY'],
  ['https://10.test', { ...BOTH, NO_PROXY: '10.0.0.0/8' }, 'HTTPS_PROXY'],
  ['https://api.test', { ALL_PROXY: PROXY }, 'ALL_PROXY'],
  ['http://api.test', { all_proxy: 'proxy.test:3128', HTTPS_PROXY: PROXY }, 'all_proxy'],
  ['https://api.test', { ALL_PROXY: 'http://other.test', HTTPS_PROXY: PROXY }, 'HTTPS_PROXY'],
  ['https://api.test', { ALL_PROXY: 'socks5://proxy.test:1080' }, undefined],
])('%s with %j goes by the proxy of %s', (address, environment, variable) => {
  const proxy = Proxies.in(environment)?.for(new URL(address));
  expect(proxy?.variable).toBe(variable);
});

test('without a variable there is nothing to ask', () => {
  expect(Proxies.in({ NO_PROXY: 'x', HTTPS_PROXY: '' })).toBeUndefined();
});

describe('a request', () => {
  const signal = new AbortController().signal;
  let upstream: Upstream;
  let proxy: FakeProxy;
  let pool: HttpPool | undefined;

  beforeEach(async () => {
    upstream = (await Upstream.start()).answer(json({ ok: true }));
    proxy = await FakeProxy.start(upstream);
  });

  afterEach(async () => {
    await pool?.close();
    await proxy.close();
    await upstream.close();
  });

  function ask(url: string, environment: Record<string, string>) {
    pool = new HttpPool(undefined, undefined, Proxies.in(environment));
    return pool.request(url, { signal, headers: { 'x-a': 'b' } });
  }

  test('over HTTP asks the proxy for the whole address, with its name and password', async () => {
    const answer = await ask('http://model.test:8080/v1?x=1', {
      HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}`,
    });
    expect(await answer.json()).toEqual({ ok: true });
    expect(proxy).toMatchObject({ asked: ['GET http://model.test:8080/v1?x=1'], credentials: ['me:p@ss'] });
    expect(upstream.requests[0]?.headers).toMatchObject({ host: 'model.test:8080', 'x-a': 'b' });
  });

  test('over HTTPS goes through a tunnel, where the proxy sees no more than the host', async () => {
    // A "%" that begins no escape is easily forgotten. It must not end the program.
    const asked = ask('https://model.test/v1', { https_proxy: `http://me:100%@127.0.0.1:${proxy.port}` });
    // This process does not know the authority: that the certificate came through is enough.
    expect(await failureOf(asked)).toMatchObject({ message: expect.stringContaining('certificate of model.test') });
    expect(proxy).toMatchObject({ asked: ['CONNECT model.test:443'], credentials: ['me:100%'] });
  });

  test.each(['http', 'https'])('over %s that the proxy refuses names variable, reason and remedy', async (scheme) => {
    const variable = `${scheme.toUpperCase()}_PROXY`;
    const environment = { [variable]: `http://me:secret@127.0.0.1:${proxy.port}` };
    proxy.refuses = 407;
    const refused = await failureOf(ask(`${scheme}://model.test/v1`, environment));
    expect(refused).toMatchObject({
      code: 'unreachable',
      message: `the proxy http://127.0.0.1:${proxy.port} of ${variable} wants a name and a password`,
      hint: `put them into ${variable}, as http://NAME:PASSWORD@HOST:PORT; or name model.test in NO_PROXY`,
    });
    expect(refused.message + refused.hint).not.toContain('secret');
    const port = await freePort();
    const absent = await failureOf(ask(`${scheme}://model.test/v1`, { [variable]: `127.0.0.1:${port}` }));
    expect(absent.message).toBe(`the proxy http://127.0.0.1:${port} of ${variable} refused the connection`);
    expect(absent.hint).toBe(`correct ${variable} or unset it; or name model.test in NO_PROXY`);
  });

  test('by a tunnel that the proxy does not open has its status', async () => {
    proxy.refuses = 403;
    const failure = await failureOf(ask('https://model.test/v1', { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }));
    expect(failure.message).toContain('did not lead to model.test (403)');
  });

  test.each([
    ['socks5://me:secret@127.0.0.1:1080', 'HTTPS_PROXY names a proxy of the kind socks5://'],
    ['http://[secret', 'HTTPS_PROXY names no URL'],
  ])('with the proxy %s is refused with the name of the variable', async (value, message) => {
    const failure = await failureOf(ask('https://model.test', { HTTPS_PROXY: value }));
    expect(failure).toMatchObject({ code: 'unreachable', kind: 'bad_option' });
    expect(failure.message).toContain(message);
    expect(failure.message + failure.hint).not.toContain('secret');
  });

  test('to loopback goes there directly', async () => {
    await ask(`${upstream.url}/v1`, { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(proxy.asked).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  test('uses its connection again', async () => {
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    await (await ask('http://model.test/a', environment)).json();
    // The library waits a turn before it uses a connection again.
    await turn();
    await turn();
    await (await pool!.request('http://model.test/b', { signal })).json();
    expect(proxy.asked).toHaveLength(2);
    expect(proxy.connections).toBe(1);
  });
});

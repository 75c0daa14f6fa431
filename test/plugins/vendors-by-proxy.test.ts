import { AUTHORITY, FakeProxy } from '../setup/fake-proxy';
import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';
import { Upstream } from '../setup/upstream';
import { answering, EPSILON, type Vendor, VENDORS } from './vendors';

const SERVER: Vendor = { ...EPSILON, alias: 'openai-compatible' };
const ALL = [...VENDORS, SERVER];

const home = tempHome();
let upstream: Upstream;
let proxy: FakeProxy;
let environment: Record<string, string>;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer((request) => answering(ALL.find(({ alias }) => request.path.startsWith(`/${alias}/`))!)(request));
  proxy = await FakeProxy.start(upstream);
  home.providers(
    ...ALL.map(({ alias }) => `name: ${alias}, driver: ${alias}, base_url: "https://model.test/${alias}", default_model: m, api_key_env: KEY`), // prettier-ignore
  );
  const url = `http://me:secret@127.0.0.1:${proxy.port}`;
  environment = { KEY: 'sk-1', HTTPS_PROXY: url, NO_PROXY: 'other.test', NODE_EXTRA_CA_CERTS: AUTHORITY };
});

beforeEach(() => {
  proxy.asked.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

test('every driver chats by way of the proxy, with a server whose authority the user has named', async () => {
  const gateway = await RunningGateway.start([], { env: home.environment(environment) });
  for (const { alias } of ALL) {
    const response = await gateway.chat({ model: alias });
    expect(await response.text()).toContain('"content":"Hi"');
  }
  await gateway.stop();
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT model.test:443']));
  expect(new Set(proxy.credentials)).toEqual(new Set(['me:secret']));
});

test('a proxy may speak TLS, with an authority that the user has named', async () => {
  const secure = await FakeProxy.start(upstream, { isSecure: true });
  const HTTPS_PROXY = `https://me:secret@127.0.0.1:${secure.port}`;
  const gateway = await RunningGateway.start([], { env: home.environment({ ...environment, HTTPS_PROXY }) });
  expect(await (await gateway.chat({ model: EPSILON.alias })).text()).toContain('"content":"Hi"');
  await gateway.stop();
  await secure.close();
  expect(secure.asked).toContain('CONNECT model.test:443');
  expect(new Set(secure.credentials)).toEqual(new Set(['me:secret']));
});

test('checks go by way of the proxy, which doctor names without its password', async () => {
  const { stdout, stderr } = await home.runIn(home.directory, ['doctor', '--json'], environment);
  expect(proxy.asked).toContain('CONNECT model.test:443');
  const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string }[] };
  expect(findings.filter(({ code }) => code === 'proxy')).toMatchObject([
    {
      severity: 'ok',
      message: `https: requests go by http://127.0.0.1:${proxy.port} (HTTPS_PROXY), but for this machine and other.test`,
    },
  ]);
  expect(stdout + stderr).not.toContain('secret');
});

test('a variable that names no proxy is broken in doctor, and said by each provider', async () => {
  const wrong = { ...environment, HTTPS_PROXY: 'socks5://me:secret@127.0.0.1:1' };
  const { stdout, code } = await home.runIn(home.directory, ['doctor', 'openai', '--json'], wrong);
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: object[] };
  expect(findings).toContainEqual(expect.objectContaining({ code: 'proxy', severity: 'broken' }));
  expect(findings).toContainEqual(expect.objectContaining({ code: 'bad_option', provider: 'openai' }));
  expect(stdout).not.toContain('secret');
});

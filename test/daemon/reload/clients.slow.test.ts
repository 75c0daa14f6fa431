import type { LimitReport } from '../../../core/limits/limit-report';
import { DaemonHome } from '../../setup/daemon-home';
import { RunningGateway } from '../../setup/running-gateway';
import { gated, GATED_OPTIONS } from './gated-driver';

const KEYS = { KEY_A: 'key-of-a-0123456789', KEY_B: 'key-of-b-0123456789' };
const A = 'name: a, api_key_env: KEY_A, requests_per_minute: 2';
const B = 'name: b, api_key_env: KEY_B';

const home = new DaemonHome();
let gateway: RunningGateway;

const reload = () => home.run('reload');

beforeEach(async () => {
  home.plugin('gated', { code: gated('gated'), manifest: GATED_OPTIONS });
  configure([A, B]);
  home.write('work/.drivebay/placeholder', '');
  home.write(
    'work/.env',
    Object.entries(KEYS)
      .map(([name, key]) => `${name}=${key}\n`)
      .join(''),
  );
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment(), cwd: `${home.directory}/work` });
});

afterEach(async () => {
  await gateway.stop();
  await home.run('daemon', 'stop');
});

test('a reload takes clients over at once, and refills no limit of a client', async () => {
  expect(await statuses('KEY_A', 1)).toEqual([200]);
  configure([A]);
  expect((await reload()).stdout).toContain('  changed   clients\n  kept      main\n');
  expect(await statuses('KEY_A', 2)).toEqual([200, 429]);
  expect(await statuses('KEY_B', 1)).toEqual([401]);
  configure([A.replace('2', '3'), B]);
  expect((await reload()).stdout).toContain('  changed   clients\n');
  expect(await statuses('KEY_A', 2)).toEqual([200, 429]);
  expect(await statuses('KEY_B', 1)).toEqual([200]);
});

test.each([', max_concurrency: 2', ''])(
  'a request that waits for a slot begins when a reload adds one (B%s)',
  async (more) => {
    configure([`${B}, max_concurrency: 1`]);
    await reload();
    const gate = `${home.directory}/gate${more.length}`;
    const held = () =>
      gateway.chat(
        { model: 'main', stream: true, messages: [{ role: 'user', content: gate }] },
        { headers: { authorization: `Bearer ${KEYS.KEY_B}` } },
      );
    const running = await held();
    const waiting = held();
    await isWaiting('b');
    configure([`${B}${more}`]);
    await reload();
    expect((await waiting).status).toBe(200);
    home.write(`gate${more.length}`, '');
    await Promise.all([running.text(), (await waiting).text()]);
  },
);

test('a provider keeps what it has used, as the same one and as another one', async () => {
  const limited = (say: string) =>
    ` }\n  - { name: other, driver: gated, default_model: m, requests_per_minute: 3, say: ${say}`;
  configure([B], limited('one'));
  await reload();
  expect(await statuses('KEY_B', 1, 'other')).toEqual([200]);
  expect((await reload()).stdout).toContain('nothing has changed');
  expect(await statuses('KEY_B', 1, 'other')).toEqual([200]);
  configure([B], limited('two'));
  expect((await reload()).stdout).toContain('  changed   other (say)\n');
  expect(await statuses('KEY_B', 2, 'other')).toEqual([200, 429]);
});

test('a gateway that asks for keys never stops to, and the reload says so', async () => {
  configure([]);
  const { stdout, stderr } = await reload();
  expect(stdout + stderr).toContain('keeps the clients that it had, because without them it would need no key');
  expect((await gateway.chat({ model: 'main' })).status).toBe(401);
  expect(await statuses('KEY_B', 1)).toEqual([200]);
});

test('a shared state is taken over where there was none, and another one is told', async () => {
  const shared = (variable: string) => `shared_state: { url_env: ${variable} }\n`;
  configure([B], '', shared('NOT_SET'));
  const first = await reload();
  expect(first.stdout).toContain('  changed   shared_state');
  await gateway.untilOutput(/the variable NOT_SET is not set|the configuration was read again/);
  expect(first.stdout + first.stderr).not.toContain('keeps the shared_state');
  configure([B], '', shared('NOT_SET_EITHER'));
  const { stdout, stderr } = await reload();
  expect(stdout + stderr).toContain('the daemon keeps the shared_state that it started with');
});

function configure(clients: readonly string[], more = '', rest = ''): void {
  const list = clients.length === 0 ? '' : `clients:\n${clients.map((client) => `  - { ${client} }\n`).join('')}`;
  home.configure(
    `version: "1"\nproviders:\n  - { name: main, driver: gated, default_model: m${more} }\n${list}${rest}`,
  );
}

async function isWaiting(client: string): Promise<void> {
  for (;;) {
    const { clients } = JSON.parse((await home.call('GET', '/v1/limits')).text) as LimitReport;
    if (clients.find(({ name }) => name === client)?.queue?.waiting === 1) return;
  }
}

/** What so many requests of a client are answered with, one after the other. */
async function statuses(key: keyof typeof KEYS, count: number, model = 'main'): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const response = await gateway.chat({ model }, { headers: { authorization: `Bearer ${KEYS[key]}` } });
    await response.text();
    found.push(response.status);
  }
  return found;
}

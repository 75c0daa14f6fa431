import { readFileSync, writeFileSync } from 'node:fs';
import { digestOf } from '../../../core/config/client-keys';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { installScripted } from '../../gateway/scripted-driver';

interface Report {
  clients: { now: object }[];
  strangers: object;
}

const FILE = `version: "1" # kept
providers:
  # mine
  - { name: main, driver: scripted, default_model: m } # here, too

# the end
`;
let home: TempHome;
let file: string;

beforeEach(() => {
  home = new TempHome();
  installScripted(home);
  file = home.configure(FILE);
});
afterEach(() => home.remove());

const text = () => readFileSync(file, 'utf8');

async function makeKey(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run('clients', ...words);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`written: ${file}`)]);
  expect(stdout).toMatch(/^drivebay-[\w-]{32}\n$/);
  expect(stderr).not.toContain(stdout.trim());
  return stdout.trim();
}

test('new prints a key once, keeps its digest, and every comment', async () => {
  const key = await makeKey('new', 'ci', '--allow', 'main', '--allow', 'main:x');
  const digest = digestOf(key).toString('hex');
  const entry = `clients:\n  - name: ci\n    key_sha256: ${digest}\n    allow: [ main, main:x ]\n`;
  expect(
    text()
      .replaceAll('"', "'")
      .replace(/allow: \[ ?(.*?) ?\]/, 'allow: [ $1 ]'),
  ).toBe((FILE + entry).replaceAll('"', "'"));
  await makeKey('new', 'editor');
  expect(text()).toContain(entry.split('\n')[1]!);
  expect(text()).toContain('# the end');
  expect(text()).not.toContain(key);
});

test('the key opens the gateway, another one does not, and rotate replaces it', async () => {
  const key = await makeKey('new', 'ci');
  const statuses = async (...keys: string[]) => {
    const gateway = await RunningGateway.start([], { env: home.environment() });
    const found = keys.map(
      async (each) => (await gateway.chat({ model: 'main' }, { headers: { 'x-api-key': each } })).status,
    );
    const all = await Promise.all(found);
    await gateway.stop();
    return all;
  };
  expect(await statuses(key, `${key}x`)).toEqual([200, 401]);
  const next = await makeKey('rotate', 'ci');
  expect(await statuses(key, next)).toEqual([401, 200]);
});

test('rotate takes the place of a variable, in JSON as well', async () => {
  const entry = { name: 'ci', api_key_env: 'CI_KEY', allow: ['main'] };
  home.remove();
  home = new TempHome();
  installScripted(home);
  const whole = { version: '1', providers: [{ name: 'main', driver: 'scripted' }], clients: [entry] };
  file = home.write('.config/drivebay/providers.json', JSON.stringify(whole));
  const key = await makeKey('rotate', 'ci');
  const { api_key_env: _, ...rest } = entry;
  expect(JSON.parse(text())).toEqual({
    ...whole,
    clients: [{ ...rest, key_sha256: digestOf(key).toString('hex') }],
  });
});

test('remove takes the entry out, and does not open the gateway to everybody', async () => {
  writeFileSync(file, `${FILE}clients:\n  - { name: ci, api_key_env: CI_KEY } # ours\n`);
  const { code, stderr } = await home.run('clients', 'remove', 'ci');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /it was the last one: no key opens the gateway now; .* run drivebay reload, and start the gateway again\n/,
    ),
  ]);
  expect(text()).toContain('\nclients: []\n');
  const gateway = await RunningGateway.start([], { env: home.environment() });
  expect((await gateway.chat({ model: 'main' })).status).toBe(401);
  await gateway.untilOutput(/clients is an empty list, so no key opens this gateway/);
  await gateway.stop();
});

test.each([
  [['new', 'a b'], '"a b" is not a valid name of a client'],
  [['new', 'ci'], 'there is a client "ci" already\n  for another key: drivebay clients rotate ci'],
  [['new', 'ed', '--allow', 'main,main:m2'], 'expected one name\n  repeat --allow: --allow main --allow main:m2'],
  [['rotate', 'c1'], 'there is no client "c1"'],
  [['remove', 'other'], 'clients: ci'],
])('clients %j is refused, and writes nothing', async (words, message) => {
  writeFileSync(file, `${FILE}clients: [{ name: ci, api_key_env: CI_KEY }]\n`);
  const before = text();
  const { code, stdout, stderr } = await home.run('clients', ...words);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  expect(text()).toBe(before);
});

test('without arguments it lists them: key, names, limits, and what they have spent', async () => {
  const budget = 'requests_per_minute: 60, max_concurrency: 2, budget_usd: { day: 5 }';
  writeFileSync(
    file,
    `${FILE}clients:\n  - { name: editor, api_key_env: EDITOR_KEY, allow: [main], ${budget} }\n  - { name: ci, api_key_env: CI_KEY }\n`,
  );
  const now = new Date();
  const month = now.toISOString().slice(0, 7);
  const line = (client: string, costUsd: number) =>
    JSON.stringify({ time: now.getTime() - 1, source: 'gateway', client, provider: 'main', costUsd, ok: true });
  home.write(`.local/state/drivebay/usage/${month}.ndjson`, `${line('editor', 1.5)}\n${line('editor', 0.25)}\n`);
  const { code, stdout } = await home.runIn(home.directory, ['clients', '--json'], { EDITOR_KEY: 'secret-of-editor' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    needsKey: true,
    clients: [
      {
        name: 'editor',
        key: { variable: 'EDITOR_KEY' },
        allow: ['main'],
        limits: { requests_per_minute: 60, budget_usd: { day: 5 } },
        maxConcurrency: 2,
        spentUsd: { day: 1.75, month: 1.75 },
        leftUsd: { day: 3.25, month: null },
        fault: null,
      },
      { name: 'ci', allow: null, fault: expect.stringContaining('CI_KEY is not set') },
    ],
  });
  expect(stdout).not.toContain('secret-of-editor');
  const table = await home.run('clients');
  expect(table.stdout).toMatch(/editor +missing +main +60 requests\/min, 2 at once +\$1\.75/);
  expect(table.stdout).toMatch(/ci +missing +everything +none +\$0 +\$0\n/);
  expect(table.stderr).toContain('in this terminal: client "ci" cannot ask: CI_KEY is not set');
  expect(table.stderr).toContain('a gateway has an environment of its own');
});

test('a client with the key of another one is told with that client, and its key is not called missing', async () => {
  const [one, two] = ['EDITOR_KEY', 'CI_KEY'].map((variable, at) => `{ name: c${at}, api_key_env: ${variable} }`);
  writeFileSync(file, `${FILE}clients: [${one}, ${two}]\n`);
  const env = { EDITOR_KEY: 'the same key', CI_KEY: 'the same key' };
  const { stdout, stderr } = await home.runIn(home.directory, ['clients'], env);
  expect(stdout).toMatch(/c0 +EDITOR_KEY .*\nc1 +same as c0 /);
  expect(stderr).toContain('client "c1" has the key of client "c0", so it cannot ask');
});

test('while a gateway runs it says what is used of each limit, and who was turned away', async () => {
  const entry = '{ name: ci, api_key_env: CI_KEY, allow: [main], requests_per_minute: 2, max_concurrency: 3 }';
  writeFileSync(file, `${FILE}clients: [${entry}]\n`);
  const gateway = await RunningGateway.start([], { env: home.environment({ CI_KEY: 'key-of-ci' }) });
  const ask = async (key: string, model: string) =>
    (await gateway.chat({ model }, { headers: { 'x-api-key': key } })).status;
  const statuses = [];
  for (const model of ['main', 'other', 'main', 'main']) statuses.push(await ask('key-of-ci', model));
  expect([...statuses, await ask('key-of-nobody', 'main')]).toEqual([200, 403, 200, 429, 401]);
  const { clients, strangers } = JSON.parse((await home.run('clients', '--json')).stdout) as Report;
  expect(clients[0]!.now).toMatchObject({
    requests: { limit: 2, used: 2, resetAt: expect.any(Number) },
    queue: { running: 0, waiting: 0, limit: 3 },
    turnedAway: [
      { reason: 'allow', count: 1, lastAt: expect.any(Number) },
      { reason: 'requests', count: 1, lastAt: expect.any(Number) },
    ],
  });
  expect(strangers).toMatchObject({ count: 1 });
  const table = await home.run('clients');
  expect(table.stdout).toMatch(/ci .* 2 of 2 requests\/min, 0 of 3 at once .* 1 allow, 1 requests/);
  expect(table.stderr).toContain('1 request had no key that the gateway knows');
  await gateway.stop();
});

test('a budget that is spent has $0 left', async () => {
  writeFileSync(file, `${FILE}clients: [{ name: ci, api_key_env: CI_KEY, budget_usd: { day: 1, month: 2 } }]\n`);
  expect((await home.run('clients')).stdout).toContain('$0 (left $1.00)');
  const time = Date.now() - 1;
  const line = JSON.stringify({ time, source: 'gateway', client: 'ci', provider: 'main', costUsd: 2, ok: true });
  home.write(`.local/state/drivebay/usage/${new Date(time).toISOString().slice(0, 7)}.ndjson`, `${line}\n`);
  expect((await home.run('clients')).stdout).toMatch(/\$2\.00 \(left \$0\) +\$2\.00 \(left \$0\)/);
});

test('what is left of a budget counts the estimates that the budget counts, and sums do not drift', async () => {
  writeFileSync(file, `${FILE}clients: [{ name: ci, api_key_env: CI_KEY, budget_usd: { day: 1, month: 2 } }]\n`);
  const turn = { time: Date.now() - 1, source: 'gateway', client: 'ci', provider: 'main', ok: true };
  const guess = { tokens: 100, costUsd: 0.4 };
  const lines = [{ costUsd: 0.1 }, { costUsd: 0.2 }, { costUsd: 0, guess }].map((more) => ({ ...turn, ...more }));
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  home.write(`.local/state/drivebay/usage/${new Date(turn.time).toISOString().slice(0, 7)}.ndjson`, text);
  const found = async () => (JSON.parse((await home.run('clients', '--json')).stdout) as Report).clients[0];
  const expected = { spentUsd: { day: 0.3, month: 0.3 }, leftUsd: { day: 0.3, month: 1.3 } };
  expect(await found()).toMatchObject(expected);
  const gateway = await RunningGateway.start([], { env: home.environment({ CI_KEY: 'key-of-ci' }) });
  expect(await found()).toMatchObject({ ...expected, now: { budgets: [{ spentUsd: 0.7 }, { spentUsd: 0.7 }] } });
  await gateway.stop();
});

test('with --metrics and no key of the owner, serve says how to give it one', async () => {
  writeFileSync(file, `${FILE}clients: [{ name: ci, api_key_env: CI_KEY }]\n`);
  const env = home.environment({ CI_KEY: 'key-of-ci', OWN_KEY: 'key-of-the-owner' });
  const gateway = await RunningGateway.start(['--metrics'], { env });
  await gateway.untilOutput(/knows no key of the owner; to give it one: .*--api-key-env NAME/);
  await gateway.stop();
});

test('without clients it says that any key will do', async () => {
  const { code, stderr } = await home.run('clients');
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('the gateway takes any key; to add one: drivebay clients new NAME'),
  ]);
});

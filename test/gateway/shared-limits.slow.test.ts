import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisServer, withRedis } from '../setup/redis-server';
import { freePort, type RunningGateway } from '../setup/running-gateway';
import { repository } from '../setup/source-files';
import { TempHome } from '../setup/temp-home';
import { logLines, startScripted, stop, text } from './scripted-driver';
import { errorOf } from './wire';

const PASSWORD = 'a-password-of-redis';
const yaml = (more = '') => `version: "1"
shared_state: { url_env: SHARED_URL${more} }
providers:
  - { name: ten, driver: scripted, default_model: m, requests_per_minute: 10 }
  - { name: burst, driver: scripted, default_model: m, requests_per_minute: 40 }
  - { name: rich, driver: scripted, default_model: m, cost_per_token: 1, budget_usd: { day: 10 } }
  - { name: long, driver: scripted, default_model: m, cost_per_token: 1, budget_usd: { month: 100 } }
  - { name: ill, driver: scripted, default_model: m }
  - { name: free, driver: scripted, default_model: m }
`;

jest.setTimeout(60_000);

let redis: RedisServer;
let homes: TempHome[] = [];
let gateways: RunningGateway[] = [];

/** `required` makes them exact however busy this machine is: they wait for the server. */
async function startTwo(more = '', words: string[] = []): Promise<[RunningGateway, RunningGateway]> {
  redis = await RedisServer.start('--requirepass', PASSWORD, ...words);
  const url = `redis://:${PASSWORD}@127.0.0.1:${redis.port}`;
  homes = [new TempHome(), new TempHome()];
  const start = (home: TempHome) => startScripted(home, { yaml: yaml(more), env: { SHARED_URL: url } });
  gateways = await Promise.all(homes.map(start));
  await Promise.all(gateways.map(untilShared));
  return gateways as [RunningGateway, RunningGateway];
}

afterEach(async () => {
  redis?.goOn();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis?.kill();
  for (const home of homes) home.remove();
  [homes, gateways] = [[], []];
});

const used = (inputTokens: number) => [text('x'), { type: 'usage', inputTokens, outputTokens: 0 }, stop];
const statusOf = async (gateway: RunningGateway, model: string, more = {}) =>
  (await gateway.chat({ model, max_tokens: 1, ...more })).status;

/** The first request makes the counters; what it adds is known to the other gateway a moment later. */
async function untilShared(gateway: RunningGateway): Promise<void> {
  expect(await statusOf(gateway, 'free')).toBe(200);
  await pause(1_000);
}

/** How much longer a request under a limit takes than one without, both in their better moments: other work is not counted. */
async function delayOf(gateway: RunningGateway, model: string): Promise<number> {
  const time = async (name: string) => {
    const began = performance.now();
    await statusOf(gateway, name);
    return performance.now() - began;
  };
  const betterOf = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 4)]!;
  const usual: number[] = [];
  const under: number[] = [];
  for (let each = 0; each < 20; each++) {
    usual.push(await time('free'));
    under.push(await time(model));
  }
  return betterOf(under) - betterOf(usual);
}

const warnings = (gateway: RunningGateway) =>
  logLines(gateway).filter(({ msg }) => String(msg).startsWith('the shared state cannot be reached'));

withRedis('two gateways on two homes share a limit, exactly, and no log shows the password', async () => {
  const [one, two] = await startTwo(', required: true');
  const statuses: number[] = [];
  for (let each = 0; each < 12; each++) statuses.push(await statusOf(each % 2 ? one : two, 'ten'));
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  const all = await Promise.all(Array.from({ length: 100 }, (_, each) => statusOf(each % 2 ? one : two, 'burst')));
  expect(all.filter((status) => status === 200)).toHaveLength(40);
  const refused = await one.chat({ model: 'ten' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(one.stderr + two.stderr).not.toContain(PASSWORD);
  expect(warnings(one)).toEqual([]);
});

withRedis('they share a budget: 50 requests at once at both overspend it by the cost of one at most', async () => {
  const [one, two] = await startTwo(', required: true');
  const ask = (gateway: RunningGateway) => statusOf(gateway, 'rich', { max_tokens: 3, script: used(4) });
  const all = await Promise.all(Array.from({ length: 50 }, (_, each) => ask(each % 2 ? one : two)));
  const spent = all.filter((status) => status === 200).length * 4;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(10 + 4);
  const refusedBy = async (gateway: RunningGateway) => {
    const answer = await gateway.chat({ model: 'rich', max_tokens: 3, script: used(4) });
    return answer.status === 429 ? errorOf(await answer.text()).code : answer.text();
  };
  while ((await refusedBy(one)) !== 'budget_exceeded') await pause(20);
  expect(await refusedBy(two)).toBe('budget_exceeded');
});

withRedis('what one learns of a rest the other one knows', async () => {
  const [one, two] = await startTwo();
  const fail = [{ fail: ['rate_limited', 'too many', { retryAfterS: 100 }] }];
  expect(await statusOf(one, 'ill', { script: fail })).toBe(502);
  const restsAt = async ({ url }: RunningGateway) => {
    const { data } = (await (await fetch(`${url}/v1/models`)).json()) as {
      data: { id: string; rests_after?: string }[];
    };
    return data.find(({ id }) => id === 'ill')?.rests_after;
  };
  while ((await restsAt(two)) !== 'rate_limited') await pause(50);
  expect(await statusOf(two, 'ill')).toBe(200);
  while ((await restsAt(one)) !== undefined) await pause(50);
});

withRedis('killed: each counts alone and says so once; back and empty: the counts meet again', async () => {
  const [one, two] = await startTwo();
  for (const gateway of [one, two]) await statusOf(gateway, 'long', { script: used(20) });
  // Each learns what the other one has spent: a server that begins empty gets back only what somebody knows.
  await pause(1_200);
  await redis.kill();
  for (const gateway of [one, two]) {
    expect(await delayOf(gateway, 'ten')).toBeLessThan(5);
    expect(await statusOf(gateway, 'long', { script: used(20) })).toBe(200);
    await gateway.untilOutput({ test: () => warnings(gateway).length > 0 });
  }
  await redis.begin();
  for (const gateway of [one, two]) await gateway.untilOutput(/the shared state is reached again/);
  // 40 before, 40 meanwhile: 80 of 100 are spent, and everybody knows.
  await pause(1_200);
  expect(await statusOf(one, 'long', { script: used(30) })).toBe(200);
  // On a busy machine the server may count as slow: then the other one learns it in the background.
  await pause(1_200);
  expect(await statusOf(two, 'long')).toBe(429);
  for (const gateway of [one, two]) expect(warnings(gateway)).toHaveLength(1);
});

withRedis('stalled: no request waits for it for longer than a moment', async () => {
  const [one] = await startTwo();
  redis.stall();
  expect(await delayOf(one, 'burst')).toBeLessThan(5);
  await one.untilOutput({ test: () => warnings(one).length > 0 });
  redis.goOn();
  await one.untilOutput(/the shared state is reached again/);
});

withRedis('full: each counts alone', async () => {
  const [one] = await startTwo('', ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction']);
  expect(await delayOf(one, 'burst')).toBeLessThan(5);
  const statuses: number[] = [];
  for (let each = 0; each < 12; each++) statuses.push(await statusOf(one, 'ten'));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
});

withRedis('required: 503 while it cannot be reached, for what has a limit, and for nothing else', async () => {
  const [one] = await startTwo(', required: true');
  expect(await statusOf(one, 'ten')).toBe(200);
  await redis.kill();
  const refused = await one.chat({ model: 'ten' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(errorOf(await refused.text()).code).toBe('shared_state_unavailable');
  expect(await statusOf(one, 'free')).toBe(200);
  await redis.begin();
  while ((await statusOf(one, 'ten')) !== 200) await pause(50);
});

const hasNginx = !spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error;

(hasNginx ? withRedis : test.skip)('two machines behind nginx, as on the page, have one limit', async () => {
  const [one, two] = await startTwo(', required: true');
  const port = await freePort();
  const page = readFileSync(join(repository, 'docs/scaling.md'), 'utf8');
  const balancer = [...page.matchAll(/```nginx\n([^]*?)```/g)].map((match) => match[1]!)[1]!;
  const settings = balancer
    .replace(/listen \d+ ssl;/, `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, '')
    .replace('10.0.0.11:8443', `127.0.0.1:${one.port}`)
    .replace('10.0.0.12:8443', `127.0.0.1:${two.port}`)
    // Between them and the gateways stands the other nginx of the page.
    .replace('proxy_pass https://machines;', 'proxy_pass http://machines; proxy_set_header Host 127.0.0.1;');
  const [home] = homes as [TempHome];
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path tmp/${name};`);
  home.write('nginx/tmp/.keep', '');
  const file = home.write(
    'nginx/nginx.conf',
    `daemon off; master_process off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${folders.join(' ')} ${settings} }`,
  );
  const words = ['-p', join(home.directory, 'nginx'), '-c', file, '-e', 'stderr'];
  const proxy: ChildProcess = spawn('nginx', words, { stdio: 'ignore', cwd: home.directory });
  try {
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'ten', messages: [{ role: 'user', content: 'Hello' }] }),
      }).then(
        ({ status }) => status,
        () => 0,
      );
    const statuses: number[] = [];
    while (statuses.length < 15) {
      const status = await ask();
      if (status === 0) await pause(50);
      else statuses.push(status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    const served = [one, two].map((gateway) => logLines(gateway).filter(({ msg }) => msg === 'turn started').length);
    for (const count of served) expect(count).toBeGreaterThan(1);
  } finally {
    const ended = once(proxy, 'close');
    proxy.kill();
    await ended;
  }
});

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { RunningGateway } from '../setup/running-gateway';
import { completion, json, Upstream } from '../setup/upstream';
import { TempHome } from '../setup/temp-home';
import { PriceTable } from '../../core/prices/price-table';
import { warningLog } from '../record/store';
import { PRICE_LIST } from './price-list';

const home = new TempHome();
let gateway: RunningGateway | undefined;
let upstream: Upstream | undefined;

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
  home.remove();
});

test('a table is read once, after the first question', async () => {
  const table = new PriceTable(home.write('prices.json', JSON.stringify(PRICE_LIST)), warningLog().log);
  expect(table.find('gpt-4o')).toBeUndefined();
  const { reading } = table;
  expect(table.reading).toBe(reading);
  await reading;
  expect(table.reading).toBeUndefined();
  expect(table.find('gpt-4o')).toMatchObject({ contextWindow: 128000, mostOutput: 16384 });
  expect(table.find('dall-e-3')).toBeUndefined();
  expect(table.find('updated_at')).toBeUndefined();
  const unlimited = table.find('vercel_ai_gateway/openai/text-embedding-3-small');
  expect(unlimited).toMatchObject({ contextWindow: undefined, mostOutput: undefined, tiers: [{ above: 0 }] });
});

test.each<[string, () => string, string]>([
  ['is not there', () => join(home.directory, 'none.json'), 'ENOENT'],
  ['is a folder', () => home.directory, 'it is not a regular file'],
  ['is not JSON', () => home.write('secret.txt', 'root:x:0:0'), 'it is not JSON'],
  ['is a list', () => home.write('list.json', '[]'), 'it is not a JSON object with a model in each field'],
  ['is a pipe', () => pipeAt(join(home.directory, 'pipe')), 'it is not a regular file'],
])('a file that %s gives no price, and a warning without its content', async (_, file, why) => {
  const { log, warnings } = warningLog();
  const table = new PriceTable(file(), log);
  await table.reading;
  expect(table.find('gpt-4o')).toBeUndefined();
  expect(warnings).toEqual([
    `price_table ${table.file} cannot be used (${why}): it gives no price until the next reload`,
  ]);
});

test('a file with a byte order mark is read', async () => {
  const { log, warnings } = warningLog();
  const table = new PriceTable(home.write('mark.json', `\uFEFF${JSON.stringify(PRICE_LIST)}`), log);
  await table.reading;
  expect([warnings, table.find('gpt-4o')?.contextWindow]).toEqual([[], 128000]);
});

function pipeAt(path: string): string {
  mkdirSync(home.directory, { recursive: true });
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
  return path;
}

describe('in the configuration', () => {
  const problems = async (yaml: string) => {
    home.configure(`version: "1"\n${yaml}`);
    const { stdout, stderr } = await home.run('config', 'check');
    return stdout + stderr;
  };

  test('a file that is not there is told with its place', async () => {
    const said = await problems('price_table: ~/lists/none.json\nproviders: [{ name: e, driver: echo-none }]\n');
    expect(said).toContain(
      `providers.yaml:2:14: price_table: there is no file ${join(home.directory, 'lists/none.json')}, so it gives no price`,
    );
  });

  test('a file that cannot be looked at is a warning, and the gateway starts', async () => {
    symlinkSync('loop.json', join(home.directory, '.config/drivebay/loop.json'));
    const entry = 'providers: [{ name: e, driver: openai-compatible, base_url: "http://127.0.0.1:9/v1" }]';
    const said = await problems(`price_table: loop.json\n${entry}\n`);
    expect(said).toMatch(/price_table \S+loop\.json cannot be used \(ELOOP\)/);
    gateway = await RunningGateway.start(['--no-project'], { cwd: home.directory, env: home.environment() });
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });

  test('a price that cannot be is told, and so is a misspelt one', async () => {
    const models = 'models: { m: { usd_per_mtok: { input: -1, output: 2, cached: 3 } } }';
    const said = await problems(
      `providers: [{ name: e, driver: openai-compatible, base_url: "http://127.0.0.1:9/v1", ${models} }]\n`,
    );
    expect(said).toMatch(/models\.m\.usd_per_mtok\.input: found the number -1, expected a number of 0 or more/);
    expect(said).toMatch(/usd_per_mtok\.cached: unknown key, ignored/);
  });
});

test('a provider has a table of its own, or none, and a route passes over its window', async () => {
  const server = await Upstream.start();
  upstream = server;
  upstream.answer(({ body }) => json(completion('Hi', { model: String(body.model), usage: USAGE })));
  home.write('.config/drivebay/all.json', JSON.stringify({ m: { input_cost_per_token: 1e-6 } }));
  const own = { m: { input_cost_per_token: 2e-6, output_cost_per_token: 1e-5, max_input_tokens: 100 } };
  home.write('.config/drivebay/own.json', JSON.stringify(own));
  const entry = (name: string, more: string) =>
    `  - { name: ${name}, driver: openai-compatible, base_url: "${server.url}/v1", default_model: m${more} }`;
  home.configure(
    ['version: "1"', 'price_table: all.json', 'providers:', entry('a', ''), entry('b', ', price_table: own.json')]
      .concat(entry('c', ', price_table: ""'), 'routes: [{ name: r, targets: [b, a] }]')
      .join('\n'),
  );
  gateway = await RunningGateway.start([], { cwd: home.directory, env: home.environment() });
  for (const model of ['a', 'b', 'c']) expect((await gateway.chat({ model })).status).toBe(200);
  const long = await gateway.chat({ model: 'r', messages: [{ role: 'user', content: 'word '.repeat(200) }] });
  expect(long.status).toBe(200);
  await gateway.stop();
  const { usage } = JSON.parse((await home.run('usage', '--json')).stdout) as {
    usage: { key: string; costUsd: number }[];
  };
  expect(usage.map(({ key, costUsd }) => [key, costUsd])).toEqual([
    ['a', 0.00002],
    ['b', 0.00012],
    ['c', 0],
  ]);
});

const USAGE = { prompt_tokens: 10, completion_tokens: 10 };

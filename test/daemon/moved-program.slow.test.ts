import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { COMMONJS } from '../setup/driver-code';
import { DaemonHome, isAlive } from '../setup/daemon-home';
import { repository } from '../setup/repository';
import { runCli } from '../setup/run-cli';
import { RunningGateway } from '../setup/running-gateway';
import { tempFolder } from '../setup/temp-folder';
import { until } from '../setup/until';

/** The program as it is installed: without its sources. */
function installedCopy(): string {
  const folder = join(tempFolder(), 'drivebay');
  for (const part of ['bin', 'dist', 'package.json', 'plugins'])
    cpSync(join(repository, part), join(folder, part), { recursive: true, filter: (path) => !/\.ts$/.test(path) });
  return folder;
}

const GONE = 'the program of the daemon was moved, replaced or removed since its start';
const HINT = 'run: drivebay daemon restart; or end `drivebay serve` with Ctrl-C and start it again';

test('a daemon whose program was moved says so at once, and can be restarted', async () => {
  const home = new DaemonHome();
  const folder = installedCopy();
  const program = join(folder, 'bin/cli');
  const started = await runCli(['daemon', 'start'], { env: home.environment(), program });
  const pid = Number(/\(pid (\d+)\)/.exec(started.stdout)?.[1]);
  renameSync(folder, `${folder}-moved`);

  const { status, text } = await home.call('GET', '/v1/daemon');
  expect([status, JSON.parse(text)]).toEqual([
    500,
    {
      error: {
        code: 'no_answer',
        message: GONE,
        hint: HINT,
      },
    },
  ]);
  const { code, stderr } = await home.runIn(home.directory, ['ps']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('was moved, replaced or removed since its start')]);
  const restarted = await home.runIn(home.directory, ['daemon', 'restart']);
  expect([restarted.code, restarted.stderr]).toEqual([0, expect.any(String)]);
  await until(() => !isAlive(pid));
  expect((await home.call('GET', '/v1/daemon')).status).toBe(200);
});

test('a gateway whose program was moved says so at every path whose part is gone, and answers at the others', async () => {
  const home = new DaemonHome();
  const folder = installedCopy();
  home.providers(
    'name: vendor, driver: openai, default_model: m, base_url: "http://127.0.0.1:1/v1", api_key_env: KEY',
    'name: mine, driver: own, default_model: m',
  );
  home.plugin('own', { code: COMMONJS });
  const env = home.environment({ KEY: 'unused-unused' });
  const program = join(folder, 'bin/cli');
  const gateway = await RunningGateway.start(['--metrics'], { env, program });
  renameSync(folder, `${folder}-moved`);

  const url = `http://127.0.0.1:${gateway.port}`;
  for (const path of ['/v1/models', '/metrics', '/openapi.json', '/v1/responses/none', '/nothing']) {
    const response = await fetch(url + path);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code, error.message]).toEqual([500, 'internal_error', `${GONE}; ${HINT}`]);
  }
  const page = await fetch(`${url}/dashboard/`);
  expect([page.status, await page.text()]).toEqual([500, expect.stringContaining('moved, replaced or removed since')]);
  const api = await fetch(`${url}/dashboard/api/state`);
  expect([api.status, await api.json()]).toMatchObject([500, { error: { message: GONE, hint: HINT } }]);
  const ask = (model: string) => gateway.chat({ model, messages: [{ role: 'user', content: 'hi' }] });
  const vendor = await ask('vendor');
  expect([vendor.status, await vendor.json()]).toMatchObject([
    502,
    { error: { message: `provider "vendor": ${GONE}`, details: { hint: HINT } } },
  ]);
  expect((await ask('mine')).status).toBe(200);
  await gateway.stop();
});

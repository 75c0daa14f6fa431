import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { DaemonHome } from '../../setup/daemon-home';
import { freePort, RunningGateway } from '../../setup/running-gateway';

const home = new DaemonHome();
home.configure('version: "1"\nproviders: []\n');

/** A program that opens addresses, and writes down what it was given. */
function opener(target: DaemonHome, code: string): Record<string, string> {
  const program = target.write('bin/xdg-open', `#!/bin/sh\n${code}\n`);
  chmodSync(program, 0o755);
  return { PATH: `${target.directory}/bin${delimiter}${process.env.PATH}`, DISPLAY: ':0' };
}

const portOf = (text: string) => Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);

test('without a gateway it opens a port that serves the dashboard and no chats, and leaves it open', async () => {
  const { code, stdout, stderr } = await home.run('dashboard', '--no-open');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/\?token=[\w-]{43}\n$/);
  const origin = new URL(stdout.trim()).origin;
  expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBe(303);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  for (const path of ['/v1/models', '/v1/chat/completions']) {
    const answer = await fetch(origin + path);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('drivebay serve')]);
  }
  const { stdout: status } = await home.run('daemon', 'status');
  expect(status).toMatch(/^gateways +none$/m);
  expect(status).toContain(`${origin}/dashboard/`);
});

test('commands at the same time share it, and later ones find it', async () => {
  const found = await Promise.all([1, 2, 3].map(() => home.run('dashboard', '--no-open')));
  const again = await home.run('dashboard', '--no-open');
  expect(new Set([...found, again].map(({ stdout }) => stdout)).size).toBe(1);
});

test('the browser is started with an address that can be used once, and nothing prints the key', async () => {
  const file = `${home.directory}/opened`;
  const env = opener(home, `echo "$@" > ${file}`);
  const { code, stdout, stderr } = await home.runIn(home.directory, ['dashboard'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const token = readFileSync(`${home.state}/dashboard.token`, 'utf8').trim();
  const address = readFileSync(file, 'utf8').trim();
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/\n$/);
  expect(address).toContain(`${stdout.trim()}?token=`);
  expect(address).not.toContain(token);
  const statuses = [];
  for (let use = 0; use < 2; use++) statuses.push((await fetch(address, { redirect: 'manual' })).status);
  expect(statuses).toEqual([303, 401]);
});

test.each([
  ['fails', { code: 'exit 3', screen: ':0' }],
  ['would have no screen', { code: 'touch "$HOME/started"', screen: '' }],
])('where the opener %s, the address is printed', async (_name, { code, screen }) => {
  const env = { ...opener(home, code), DISPLAY: screen };
  const answer = await home.runIn(home.directory, ['dashboard'], env);
  expect(answer.code).toBe(0);
  expect(answer.stderr).toContain('no browser could be started');
  expect((await fetch(answer.stdout.trim(), { redirect: 'manual' })).status).toBe(303);
  expect(existsSync(`${home.directory}/started`)).toBe(false);
});

test('a port can be chosen; one that is taken is explained', async () => {
  const port = await freePort();
  const { stdout } = await home.run('dashboard', '--no-open', '--port', String(port));
  expect(portOf(stdout)).toBe(port);
  const other = new DaemonHome();
  const taken = await other.run('dashboard', '--no-open', '--port', String(port));
  expect([taken.code, taken.stdout]).toEqual([1, '']);
  expect(taken.stderr).toMatch(/port \d+ is taken by another drivebay.*\n.*drivebay dashboard --port \d+/);
});

test('a gateway that is open is used, that of the folder before others', async () => {
  const own = new DaemonHome();
  own.write('a/.drivebay/keep', '');
  own.write('b/.drivebay/keep', '');
  await own.start();
  const serve = (folder: string) =>
    RunningGateway.start(['--demo'], { env: own.environment(), cwd: `${own.directory}/${folder}` });
  const gateways = [await serve('a'), await serve('b')];
  for (const [index, folder] of ['a', 'b'].entries()) {
    const { stdout } = await own.runIn(`${own.directory}/${folder}`, ['dashboard', '--no-open']);
    expect(portOf(stdout)).toBe(gateways[index]!.port);
  }
  const { stdout } = await own.run('dashboard', '--no-open');
  expect(gateways.map(({ port }) => port)).toContain(portOf(stdout));
  await Promise.all(gateways.map((gateway) => gateway.stop()));
});

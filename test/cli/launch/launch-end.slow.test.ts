import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAlive } from '../../setup/daemon-home';
import { LiveCli } from '../../setup/live-cli';
import { RunningGateway } from '../../setup/running-gateway';
import { until } from '../../setup/until';
import { CrowHome } from './fake-client';

const home = new CrowHome();

interface Waiting {
  pid: number;
  url: string;
  key: string;
  file: string;
}

/** A client that waits for lines. */
async function wait(): Promise<{ launch: LiveCli; client: Waiting }> {
  const launch = home.launch('crow', '--', 'wait');
  await launch.until(/^\{"pid".*\}$/m);
  return { launch, client: JSON.parse(/^\{"pid".*\}$/m.exec(launch.stdout)![0]) as Waiting };
}

const isOpen = (url: string) =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

const foldersLeft = () => readdir(`${home.state}/launch`);

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s reaches the program, and nothing is left', async (signal) => {
  const { launch, client } = await wait();
  const { code, stdout } = await launch.signal(signal).end();
  expect([code, stdout.split('\n').at(-2)]).toEqual([5, `got ${signal}`]);
  expect(await isOpen(client.url)).toBe(false);
  expect(await foldersLeft()).toEqual([]);
});

/** The signal comes when the first of the files is there: a test that looks for the file may be too late. */
const SIGNALLED = `const files = require('node:fs');
const write = files.writeFileSync;
files.writeFileSync = (path, ...rest) => {
  write(path, ...rest);
  if (String(path).endsWith('/settings/first')) process.kill(process.pid, 'SIGTERM');
};`;

test('a signal while the folder is written starts nothing, and nothing is left', async () => {
  const own = new CrowHome();
  const files = { 'settings/first': 'key {key}', 'settings/second': 'key {key}' };
  const rook = { name: 'rook', title: 'Rook', programs: ['crow'], files, arguments: ['--', 'wait'] };
  own.plugin('rook', { manifest: { clients: [rook] }, code: 'module.exports = () => ({})' });
  await own.start();
  const env = own.environment({ NODE_OPTIONS: `--require ${own.write('signalled.cjs', SIGNALLED)}` });
  const launch = new LiveCli(['launch', 'rook'], { env, cwd: own.directory });
  expect(await launch.end()).toMatchObject({ code: 143, stdout: '' });
  expect(await readdir(`${own.state}/launch`)).toEqual([]);
});

test('when the program is killed, the gateway closes and the folder goes', async () => {
  const { launch, client } = await wait();
  process.kill(client.pid, 'SIGKILL');
  expect((await launch.end()).code).toBe(137);
  expect([await isOpen(client.url), await foldersLeft()]).toEqual([false, []]);
});

test('when drivebay itself is killed, the program is ended, the gateway closes and the folder goes', async () => {
  const { launch, client } = await wait();
  expect([await isOpen(client.url), existsSync(client.file)]).toEqual([true, true]);
  await until(async () => (await home.gateways()).some(({ program }) => program === client.pid));
  launch.signal('SIGKILL');
  await until(() => !isAlive(client.pid));
  await until(async () => !(await isOpen(client.url)));
  await until(async () => (await foldersLeft()).length === 0);
  await launch.end();
  expect(launch.stdout).toContain('got SIGHUP');
});

test('two at a time do not disturb each other', async () => {
  const [first, second] = [await wait(), await wait()];
  expect(first.client.url).not.toBe(second.client.url);
  const wrong = { headers: { authorization: `Bearer ${first.client.key}` } };
  expect((await fetch(`${second.client.url}/v1/models`, wrong)).status).toBe(401);
  first.launch.type('end');
  await first.launch.end();
  expect([existsSync(first.client.file), existsSync(second.client.file)]).toEqual([false, true]);
  second.launch.type('chat');
  await second.launch.until(/"status":200/);
  second.launch.type('end');
  expect((await second.launch.end()).code).toBe(0);
});

test('after a restart of the daemon, and after its crash, the gateway is open again at the same address', async () => {
  const { launch, client } = await wait();
  await home.run('daemon', 'restart');
  await until(() => isOpen(client.url));
  launch.type('chat');
  await launch.until(/"status":200/);
  const pid = await home.start();
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid));
  await until(() => isOpen(client.url));
  launch.type('end');
  const { code, stderr } = await launch.end();
  expect([code, stderr.trim().split('\n')]).toEqual([0, [expect.stringMatching(/^Crow on main:m-1/)]]);
});

test('when the user stops the daemon, the program goes on, and is told of it at its end', async () => {
  const { launch, client } = await wait();
  await home.run('daemon', 'stop');
  launch.type('chat');
  await launch.until(/"status":"ECONNREFUSED"/);
  expect(await isOpen(client.url)).toBe(false);
  launch.type('end');
  const { code, stderr } = await launch.end();
  expect(code).toBe(0);
  expect(stderr).toContain('note: the daemon ended while Crow ran, and the gateway with it\n');
});

describe('a gateway that is open', () => {
  test('is used where it wants no key, and stays open', async () => {
    const gateway = await RunningGateway.start([], { env: home.environment(), cwd: home.directory });
    const { launch, client } = await wait();
    expect(client).toMatchObject({ url: gateway.url, key: 'unused' });
    launch.type('end');
    await launch.end();
    expect((await gateway.chat({ model: 'main' })).status).toBe(200);
    await gateway.stop();
  });

  test('has its provider checked before the program starts, too', async () => {
    const gateway = await RunningGateway.start([], { env: home.environment(), cwd: home.directory });
    const { stderr } = await home.run('launch', 'crow', '--provider', 'down', '--', 'exit', '0');
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^warning: down is offline: nobody is there/),
      `Crow on down:d-1, by the gateway ${gateway.url}`,
    ]);
    await gateway.stop();
  });

  test('is left alone where it wants a key, or serves another project', async () => {
    home.write('elsewhere/.drivebay/placeholder', '');
    const env = home.environment({ GATE_KEY: 'a-key-of-the-gateway' });
    const [keyed, other] = await Promise.all([
      RunningGateway.start(['--api-key-env', 'GATE_KEY'], { env, cwd: home.directory }),
      RunningGateway.start([], { env, cwd: `${home.directory}/elsewhere` }),
    ]);
    const { launch, client } = await wait();
    expect([keyed.url, other.url]).not.toContain(client.url);
    launch.type('end');
    await launch.end();
    await Promise.all([keyed.stop(), other.stop()]);
  });
});

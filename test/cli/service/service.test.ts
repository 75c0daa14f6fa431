import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../setup/running-gateway';
import { systemd } from '../../../core/cli/service/systemd';
import { runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';
import { systemctlFor } from './fake-systemctl';

// Linux is where these run: launchd has a test of its own (test/cli/service/launchd.test.ts).
const onLinux = process.platform === 'linux' ? test : test.skip;

const PROVIDER = 'name: a, driver: chat-compat, base_url: "http://127.0.0.1:9/v1", api_key_env: MY_KEY';

const home = tempHome();
const bin = join(home.directory, 'bin');
const file = join(home.directory, '.config/systemd/user/drivebay.service');
const env = home.environment({ PATH: `${bin}:${process.env.PATH ?? ''}`, MY_KEY: 'a-secret' });
const calls = () => readFileSync(join(home.directory, 'calls'), 'utf8').trim().split('\n');

beforeAll(() => {
  chmodSync(home.write('bin/systemctl', systemctlFor(file)), 0o755);
  home.providers(PROVIDER);
});

onLinux('a unit that cannot be written is named, with another way', async () => {
  mkdirSync(file, { recursive: true });
  const { code, stderr } = await runCli(['service', 'install'], { env });
  rmSync(file, { recursive: true });
  expect(code).toBe(1);
  expect(stderr).toContain(`error: ${file} cannot be written: EISDIR`);
  expect(stderr).toMatch(/\n {2}run the gateway in a terminal: drivebay serve\n$/);
});

onLinux('install writes a unit, starts it, and ends when the gateway answers; uninstall leaves nothing', async () => {
  const port = await freePort();
  const installed = await runCli(['service', 'install', '--port', String(port)], { env });
  expect(installed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`runs at http://127.0.0.1:${port}`) as string,
  });
  expect(installed.stderr).toContain('the service has no MY_KEY; add a line MY_KEY=...');
  expect(readFileSync(file, 'utf8')).not.toContain('a-secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(calls()).toEqual(['--user daemon-reload', `--user enable ${file}`, '--user restart drivebay.service']);
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toEqual({ status: 'ok', providers: 1 });

  const status = await runCli(['service', 'status', '--json'], { env });
  expect(JSON.parse(status.stdout)).toEqual({ installed: true, state: 'active', file, port, answers: true });
  expect(status.code).toBe(0);
  expect((await runCli(['logs'], { env })).stderr).toContain(': journalctl --user --unit drivebay.service\n');

  const systemctl = (...words: string[]) => promisify(execFile)(join(bin, 'systemctl'), ['--user', ...words], { env });
  home.providers('name: b, driver: chat-compat, base_url: "http://127.0.0.1:9/v1"');
  expect((await systemctl('reload', 'drivebay.service')).stdout).toContain('  added     b\n  removed   a\n');
  home.providers('name: b, driver: chat-compt');
  await expect(systemctl('reload', 'drivebay.service')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no plug-in provides driver "chat-compt"') as string,
  });
  home.providers(PROVIDER);

  const restarted = await runCli(['daemon', 'restart'], { env });
  expect(restarted).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^the daemon runs/) as string });
  expect((await runCli(['daemon', 'status'], { env })).stdout).toContain('as a service');

  expect(await runCli(['service', 'uninstall'], { env })).toEqual({
    code: 0,
    stdout: `removed: ${file}\n`,
    stderr: '',
  });
  expect(existsSync(file)).toBe(false);
  expect((await runCli(['service', 'status'], { env })).code).toBe(1);
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
});

onLinux('a key in the file of the service is not missed', async () => {
  home.write('.config/drivebay/service.env', 'MY_KEY=secret\n');
  chmodSync(home.write('bin/systemctl', '#!/bin/sh\necho "no bus" >&2; exit 1\n'), 0o755);
  const { code, stderr } = await runCli(['service', 'install'], { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: systemctl --user daemon-reload failed: no bus\n {2}systemd does not run for this user/,
  );
  // The unit would start something at the next login.
  expect(existsSync(file)).toBe(false);
});

onLinux('an install that fails leaves no folder that it has made', async () => {
  const other = tempHome();
  const path = `${other.directory}/bin:${process.env.PATH ?? ''}`;
  chmodSync(other.write('bin/systemctl', '#!/bin/sh\nexit 1\n'), 0o755);
  expect((await runCli(['service', 'install'], { env: other.environment({ PATH: path }) })).code).toBe(1);
  expect(existsSync(join(other.directory, '.config'))).toBe(false);
  const theirs = other.write('.config/systemd/other', '');
  await runCli(['service', 'install'], { env: other.environment({ PATH: path }) });
  expect([existsSync(theirs), existsSync(join(other.directory, '.config/systemd/user'))]).toEqual([true, false]);
});

onLinux('why a service does not start is told, also where its file cannot be taken back', async () => {
  const other = tempHome();
  const unit = join(other.directory, '.config/systemd/user/drivebay.service');
  const script = `#!/bin/sh\nrm -f "${unit}"; mkdir -p "${unit}"; echo "no bus" >&2; exit 1\n`;
  chmodSync(other.write('bin/systemctl', script), 0o755);
  const path = `${other.directory}/bin:${process.env.PATH ?? ''}`;
  const { code, stderr } = await runCli(['service', 'install'], { env: other.environment({ PATH: path }) });
  expect(code).toBe(1);
  expect(stderr).toContain('error: systemctl --user daemon-reload failed: no bus\n');
  expect(stderr).toContain(`warning: ${unit} is not as it was before: `);
});

onLinux('--print shows the unit and writes nothing', async () => {
  const other = tempHome();
  const words = [
    'service',
    'install',
    '--print',
    '--port',
    '8123',
    '--upstream-status',
    '--metrics',
    '--watch',
    '--api-key-env',
    'GATEWAY_KEY',
    '--record',
    'seen requests',
    '--record-content',
  ];
  const { stdout } = await runCli(words, { env: other.environment({ DRIVEBAY_ENV: '50%' }), cwd: other.directory });
  const half = await runCli(['service', 'install', '--record-content'], { env: other.environment() });
  expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('--record-content needs a folder')]);
  // A service works in another folder than this command.
  expect(stdout).toContain(
    `--port 8123 --log-level info --upstream-status --metrics --watch --api-key-env GATEWAY_KEY --record "${join(other.directory, 'seen requests')}" --record-content\n`,
  );
  expect(stdout).toContain('Environment="DRIVEBAY_ENV=50%%"');
  expect(existsSync(join(other.directory, '.config'))).toBe(false);
});

test('every word of the unit is one word to systemd', () => {
  const manager = systemd({ HOME: '/home/me' });
  const odd = '/opt/A B$C%D"E/node';
  const places = { workingDirectory: '/home/50%', environmentFile: '/home/50%/service.env' };
  const unit = manager.describe({
    command: [odd, 'serve'],
    reloadCommand: [odd, 'reload'],
    environment: { A: odd },
    ...places,
  });
  const quoted = '"/opt/A B$$C%%D\\"E/node"';
  for (const line of [`ExecStart=${quoted} serve`, `ExecReload=${quoted} reload`, 'WorkingDirectory=/home/50%%']) {
    expect(unit).toContain(`${line}\n`);
  }
  expect(unit).toContain('Environment="A=/opt/A B$C%%D\\"E/node"\n');
});

import { existsSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { socketPlaces } from '../../core/daemon/socket/socket-places';
import { DaemonHome, isAlive } from '../setup/daemon-home';
import { cliPath } from '../setup/run-cli';

test('of several starts at once one daemon comes, and takes over what a killed one left', async () => {
  const home = new DaemonHome();
  for (let round = 0; round < 3; round += 1) {
    const pids = await Promise.all([home.start(), home.start(), home.start()]);
    expect(new Set(pids).size).toBe(1);
    const [pid] = pids;
    expect(readFileSync(`${home.state}/daemon.pid`, 'utf8')).toMatch(new RegExp(`^${pid}\n`));
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await new Promise(setImmediate);
  }
  expect((await home.run('daemon', 'status')).code).toBe(1);
});

test('a daemon that a plug-in has broken is ended', async () => {
  const home = new DaemonHome();
  home.plugin('breaker', {
    code: `module.exports = () => ({
      async check() {},
      async *chat() {
        process.once('SIGUSR2', () => (JSON.stringify = undefined));
        yield { type: 'text', text: 'done' };
        yield { type: 'finish', reason: 'stop' };
      },
    });`,
  });
  home.providers('name: a, driver: breaker, default_model: m');
  const pid = await home.start();
  expect(await home.run('run', '--provider', 'a', 'break it')).toMatchObject({ code: 0 });
  process.kill(pid, 'SIGUSR2');
  let { stderr } = await home.run('daemon', 'status');
  while (stderr === '' && isAlive(pid)) ({ stderr } = await home.run('daemon', 'status'));
  expect(stderr).toMatch(/^error: the daemon's answer cannot be read: .*\n {2}run: drivebay daemon restart\n$/);
  expect(await home.run('daemon', 'stop')).toEqual({
    code: 0,
    stdout: `the daemon has ended (pid ${pid})\n`,
    stderr: `the daemon (pid ${pid}) does not answer: ending it\n`,
  });
  expect(isAlive(pid)).toBe(false);
});

test('a restart ends a daemon that does not answer, and says so', async () => {
  const home = new DaemonHome();
  const pid = await home.start();
  process.kill(pid, 'SIGSTOP');
  const status = await home.run('daemon', 'status');
  expect(status).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: the daemon does not answer\n  run: drivebay daemon restart\n',
  });
  const restarted = await home.run('daemon', 'restart');
  expect(restarted.stderr).toBe(`the daemon (pid ${pid}) does not answer: ending it\n`);
  expect(isAlive(pid)).toBe(false);
  expect((await home.run('daemon', 'status')).code).toBe(0);
});

test('a state folder with a long path has its socket in a private folder of the system', async () => {
  const home = new DaemonHome();
  const state = `${home.directory}/${'long/'.repeat(20)}state`;
  const env = { XDG_STATE_HOME: state };
  await home.start(env);
  const places = socketPlaces({ configHome: `${home.directory}/.config/drivebay`, state: `${state}/drivebay` });
  const { value: socket } = await places.next();
  expect(socket).toMatch(/^\/tmp\/drivebay-\d+\/[0-9a-f]{16}\/daemon\.sock$/);
  const folder = socket!.replace('/daemon.sock', '');
  expect([statSync(socket!).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  expect((await home.runIn(home.directory, ['daemon', 'stop'], env)).stdout).toContain('has ended');
  expect(existsSync(folder)).toBe(false);
});

test('daemon run ends with a signal, and says so to a restart', async () => {
  const home = new DaemonHome();
  const child = spawn(process.execPath, [cliPath, 'daemon', 'run'], {
    env: home.environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child.stderr, 'data');
  expect((await home.run('daemon', 'restart')).stderr).toMatch(
    /runs in a terminal\n {2}end `drivebay daemon run` \(pid \d+\) with Ctrl-C/,
  );
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(home.socket)).toBe(false);
});

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { socketPlaces } from '../../core/daemon/socket/socket-places';
import { DaemonHome, isAlive } from '../setup/daemon-home';
import { cliPath } from '../setup/run-cli';

const onLinux = existsSync('/proc/self/stat') ? test : test.skip;

test('start, status, stop: each says what is, by text and exit code', async () => {
  const home = new DaemonHome();
  expect(await home.run('daemon', 'status')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^no daemon is running/) as string,
  });
  const pid = await home.start();
  expect(isAlive(pid)).toBe(true);
  expect(await home.start()).toBe(pid);
  // Only the user can open the socket, and read the log.
  const modes = [home.socket, home.state, `${home.state}/daemon.log`].map((file) => statSync(file).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700, 0o600]);
  const status = await home.run('daemon', 'status');
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(status.stdout).toContain(`pid ${pid}`);
  const json = await home.run('daemon', 'status', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ running: true, pid, state: home.state, mode: 'background' });
  expect(await home.run('daemon', 'stop')).toEqual({
    code: 0,
    stdout: `the daemon has ended (pid ${pid})\n`,
    stderr: '',
  });
  expect(isAlive(pid)).toBe(false);
  expect(readdirSync(home.state).filter((name) => /sock|pid|lock/.test(name))).toEqual([]);
  expect(await home.run('daemon', 'stop')).toMatchObject({ code: 0, stdout: 'no daemon is running\n' });
  expect((await home.run('daemon', 'logs')).stdout).toMatch(/ runs \(pid \d+\)\n[^]* ending: /);
});

onLinux('it has a session of its own, and nothing that ties it to the run of an agent', async () => {
  const home = new DaemonHome();
  const pid = await home.start({ DRIVEBAY_RUN_ID: '1.2.3.4' });
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  expect(Number(fields[3])).toBe(pid);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('DRIVEBAY_RUN_ID');
  process.kill(pid, 'SIGHUP');
  expect((await home.run('daemon', 'status')).code).toBe(0);
});

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

// A killed daemon leaves a stale socket: the test above has that case.
test('a file in its place is no daemon', async () => {
  const home = new DaemonHome();
  home.write('.local/state/drivebay/daemon.sock', 'no socket');
  expect(isAlive(await home.start())).toBe(true);
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
  rmSync(folder, { recursive: true });
});

test('another configuration with the same state folder has a daemon of its own', async () => {
  const home = new DaemonHome();
  const other = { XDG_CONFIG_HOME: `${home.directory}/other` };
  const [one, two] = [await home.start(), await home.start(other)];
  expect(two).not.toBe(one);
  expect(await home.start(other)).toBe(two);
  await home.runIn(home.directory, ['daemon', 'stop'], other);
  expect([isAlive(one), isAlive(two)]).toEqual([true, false]);
});

test('daemon run ends with a signal, and refuses to run beside another', async () => {
  const home = new DaemonHome();
  await home.start();
  const second = await home.run('daemon', 'run');
  expect(second).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: the daemon runs already \(pid \d+\)/) as string,
  });
  await home.run('daemon', 'stop');
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

test('a broken configuration starts no daemon', async () => {
  const home = new DaemonHome();
  const file = home.configure('providers: 3\n');
  const { code, stdout, stderr } = await home.run('daemon', 'start');
  expect([code, stdout, stderr.includes(`${file}:1:12: providers: found the number 3`)]).toEqual([2, '', true]);
  expect(existsSync(home.socket)).toBe(false);
});

test('a state folder that cannot be written is said where a daemon is needed, with the variable that moves it', async () => {
  const home = new DaemonHome();
  const more = { XDG_STATE_HOME: home.write('file', '') };
  for (const words of [['daemon', 'start'], ['say hello to me']]) {
    const { code, stderr } = await home.runIn(home.directory, words, more);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the state folder .*\/file.*\n {2}choose another folder: export XDG_STATE_HOME=<folder>\n$/,
    );
  }
});

test('what keeps a daemon from starting is said by the command that needs it, and no socket is left', async () => {
  const home = new DaemonHome();
  // Written when the socket is there.
  mkdirSync(`${home.state}/daemon.pid`, { recursive: true });
  const { code, stderr } = await home.run('daemon', 'start');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: EISDIR.*daemon\.pid/) as string]);
  expect(existsSync(home.socket)).toBe(false);
});

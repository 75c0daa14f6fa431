import { once } from 'node:events';
import { createServer } from 'node:net';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { DaemonHome, isAlive } from '../setup/daemon-home';

const onLinux = existsSync('/proc/self/stat') ? test : test.skip;

test('a reload of a daemon that has opened no project names the mistakes of this folder', async () => {
  const home = new DaemonHome();
  await home.start();
  expect(await home.run('reload')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no project is open yet'),
  });
  home.configure('version: "1"\nproviders: 5\n');
  const { code, stdout, stderr } = await home.run('reload');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('providers.yaml:2:12: providers: found the number 5, expected a list');
});

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

// A killed daemon leaves a stale socket: lifecycle.slow.test.ts has that case.
test('a file in its place is not a daemon', async () => {
  const home = new DaemonHome();
  home.write('.local/state/drivebay/daemon.sock', 'no socket');
  expect(isAlive(await home.start())).toBe(true);
});

test('a program in its place that says nothing is named with a way to find it', async () => {
  const home = new DaemonHome();
  mkdirSync(home.state, { recursive: true });
  const silent = createServer().listen(home.socket);
  await once(silent, 'listening');
  expect(await home.run('daemon', 'stop')).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: the program that listens at ${home.socket} does not answer, and its pid is not known
  to see which one it is: lsof ${home.socket}; end it, or choose another folder: export XDG_STATE_HOME=<absolute path>\n`,
  });
  silent.close();
});

test('a folder in its place is named with the variable that moves the state folder, and nothing is left there', async () => {
  const home = new DaemonHome();
  mkdirSync(home.socket, { recursive: true });
  expect(await home.run('daemon', 'start')).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: the state folder ${home.state} cannot be used: ${home.socket} is a folder, and a file of ours belongs there
  choose another folder: export XDG_STATE_HOME=<absolute path>\n`,
  });
  expect(readdirSync(home.state).sort()).toEqual(['daemon.log', 'daemon.sock']);
});

test('a second one in the foreground says how to end the first', async () => {
  const home = new DaemonHome();
  const pid = await home.start();
  expect(await home.run('daemon', 'run')).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: the daemon runs already (pid ${pid})
  to have it in this terminal, end that one first: drivebay daemon stop\n`,
  });
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

test('a home folder behind a link has the same daemon', async () => {
  const home = new DaemonHome();
  home.configure('version: "1"\nproviders: []\n');
  const pid = await home.start();
  const link = `${home.directory}/link`;
  symlinkSync(home.directory, link);
  expect(await home.start({ HOME: link })).toBe(pid);
});

test('a broken configuration starts no daemon', async () => {
  const home = new DaemonHome();
  const file = home.configure('providers: 3\n');
  const { code, stdout, stderr } = await home.run('daemon', 'start');
  expect([code, stdout, stderr.includes(`${file}:1:12: providers: found the number 3`)]).toEqual([2, '', true]);
  expect(existsSync(home.socket)).toBe(false);
  for (const words of [['say hello to me'], ['dashboard', '--no-open'], ['chat']]) {
    expect(await home.run(...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file}:1:12`) as string,
    });
    expect(existsSync(home.socket)).toBe(false);
  }
});

test('a state folder that cannot be written is said where a daemon is needed, with the variable that moves it', async () => {
  const home = new DaemonHome();
  const more = { XDG_STATE_HOME: home.write('file', '') };
  for (const words of [['daemon', 'start'], ['say hello to me']]) {
    const { code, stderr } = await home.runIn(home.directory, words, more);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the state folder .*\/file.*\n {2}choose another folder: export XDG_STATE_HOME=<absolute path>\n$/,
    );
  }
});

test('what keeps a daemon from starting is said by the command that needs it, and no socket is left', async () => {
  const home = new DaemonHome();
  // Written when the socket is there.
  mkdirSync(`${home.state}/daemon.pid`, { recursive: true });
  const { code, stderr } = await home.run('daemon', 'start');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: the state folder .*daemon\.pid is a folder/) as string,
  ]);
  expect(existsSync(home.socket)).toBe(false);
});

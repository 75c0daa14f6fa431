import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DaemonLog } from '../../core/daemon/daemon-log';
import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';
import { tempFolder } from '../setup/temp-folder';

const folder = tempFolder();

test('a full log goes into the file beside it, and no line is lost', () => {
  const file = join(folder, 'daemon.log');
  const descriptor = openSync(file, 'a');
  const log = new DaemonLog(file, descriptor, 150);
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index} ${'x'.repeat(10)}\n`);
  for (const line of lines) log.write(line);
  // What others write to the same descriptor comes behind.
  writeSync(descriptor, 'a native message\n');
  closeSync(descriptor);
  const [old, now] = [readFileSync(`${file}.1`, 'utf8'), readFileSync(file, 'utf8')];
  expect(lines.join('') + 'a native message\n').toBe(old + now);
  expect(now).toMatch(/^line \d/);
});

test('a log that is found full begins anew', () => {
  const file = join(folder, 'full.log');
  writeFileSync(file, 'old\n'.repeat(100));
  const descriptor = openSync(file, 'a');
  new DaemonLog(file, descriptor, 150).write('new\n');
  closeSync(descriptor);
  expect([readFileSync(`${file}.1`, 'utf8').length, readFileSync(file, 'utf8')]).toEqual([400, 'new\n']);
});

test('daemon logs prints the end', async () => {
  const home = new DaemonHome();
  expect(await home.run('daemon', 'logs')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('no log yet') as string,
  });
  writeFileSync(
    home.write('.local/state/drivebay/daemon.log', ''),
    Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join(''),
  );
  expect((await home.run('daemon', 'logs', '-n', '2')).stdout).toBe('line 4998\nline 4999\n');
  expect((await home.run('daemon', 'logs')).stdout.split('\n')).toHaveLength(101);
});

test('older lines are called older where there are any, and the place of the others is named', async () => {
  const home = new DaemonHome();
  const gateway = await RunningGateway.start([], { env: home.environment() });
  const where = `the log of the daemon that runs (pid ${gateway.child.pid}): in its terminal\n`;
  expect(await home.run('logs')).toMatchObject({ stdout: '', stderr: `note: ${where}` });
  home.write('.local/state/drivebay/daemon.log', 'before\n');
  expect(await home.run('logs')).toMatchObject({ stdout: 'before\n', stderr: `note: these lines are older; ${where}` });
  await gateway.stop();
});

test('a log that is a folder is named, with what to do', async () => {
  const home = new DaemonHome();
  const file = join(home.state, 'daemon.log');
  mkdirSync(file, { recursive: true });
  const { code, stderr } = await home.run('daemon', 'logs');
  expect(code).toBe(1);
  expect(stderr).toBe(
    `error: the state folder ${home.state} cannot be used: ${file} is a folder, and a file of ours belongs there\n` +
      '  choose another folder: export XDG_STATE_HOME=<absolute path>\n',
  );
});

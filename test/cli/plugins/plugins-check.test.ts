import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../setup/daemon-home';
import { COMMONJS } from '../../setup/driver-code';
import { cliPath, runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';

const home = tempHome();
const env = home.environment();
const check = (words: string[], cwd = home.directory) => runCli(['plugins', 'check', ...words], { env, cwd });

test('a sound driver: one line per check, a summary, exit code 0, in the working directory too', async () => {
  const folder = home.plugin('parrot', { folder: 'parrot', code: COMMONJS });
  const [named, here] = await Promise.all([check([folder]), check([], folder)]);
  expect(named).toMatchObject({ code: 0, stderr: '', stdout: here.stdout });
  expect(named.stdout).toMatch(/^ok {7}M01 {2}manifest\.json is there and valid\n/);
  expect(named.stdout).toMatch(/^skipped {2}P01 {2}there is no package\.json/m);
  expect(named.stdout).toMatch(/\nparrot: 8 skipped, 14 ok\n$/);
});

test('a driver that does not load: the reason, what to do, exit code 1; --json has the same', async () => {
  const folder = home.plugin('owl', {
    folder: 'owl',
    code: `console.log('hoo'); throw new Error('no\u001b[31m eyes');`,
  });
  const [text, json] = await Promise.all([check([folder]), check([folder, '--json'])]);
  expect(text).toMatchObject({ code: 1, stderr: '' });
  expect(text.stdout).toMatch(/^failed {3}L01 {2}no \[31m eyes \(index\.js:1:\d+\)$/m);
  const report = JSON.parse(json.stdout);
  expect(json.code).toBe(1);
  expect(report).toMatchObject({ driver: 'owl', directory: folder, passed: false });
  expect(report.findings).toContainEqual({
    code: 'L01',
    status: 'failed',
    message: 'no\u001b[31m eyes (index.js:1:27)',
  });
});

test('a folder that is not a plug-in says how to get one, or where one is', async () => {
  home.write('empty/readme.txt', '');
  home.plugin('parrot', { folder: 'flock/parrot', code: COMMONJS });
  const [empty, flock] = await Promise.all([check(['empty']), check(['flock'])]);
  expect(empty.code).toBe(1);
  expect(empty.stdout).toMatch(
    /^failed {3}M01 {2}there is no manifest\.json\n +this folder is not a plug-in\. To write a new one, run: /,
  );
  expect(flock.stdout).toContain(`plug-ins are in these folders: ${join(home.directory, 'flock/parrot')}`);
});

test('a folder that is not there, and a file, are mistakes of the command line', async () => {
  const file = home.write('file.json', '{}');
  const [missing, wrong] = await Promise.all([check(['nowhere']), check([file])]);
  const where = '  for the folders of plug-ins: drivebay plugins list --json';
  const stderr = `error: there is no folder ${home.directory}/nowhere\n${where}\n`;
  expect(missing).toEqual({ code: 2, stdout: '', stderr });
  expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('give the folder that holds') });
});

test('a command that is killed while a plug-in loops leaves no process', async () => {
  const file = join(home.directory, 'looping.pid');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); for (;;);`;
  const folder = home.plugin('mill', { folder: 'mill', code });
  const command = spawn(process.execPath, [cliPath, 'plugins', 'check', folder], { env, stdio: 'ignore' });
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  const looping = Number(readFileSync(file, 'utf8'));
  command.kill('SIGKILL');
  try {
    await until(() => !isAlive(looping));
  } finally {
    if (isAlive(looping)) process.kill(looping, 'SIGKILL');
  }
});

import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DaemonHome, isAlive } from '../setup/daemon-home';
import { repository } from '../setup/repository';
import { runCli } from '../setup/run-cli';
import { tempFolder } from '../setup/temp-folder';
import { until } from '../setup/until';

/** The program as it is installed: without its sources. */
function installedCopy(): string {
  const folder = join(tempFolder(), 'drivebay');
  for (const part of ['bin', 'dist', 'package.json', 'plugins'])
    cpSync(join(repository, part), join(folder, part), { recursive: true, filter: (path) => !/\.ts$/.test(path) });
  return folder;
}

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
        message: 'the program of the daemon was moved, replaced or removed since its start',
        hint: 'run: drivebay daemon restart',
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

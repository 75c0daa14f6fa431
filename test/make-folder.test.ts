import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../core/make-folder';
import { cliPath } from './setup/run-cli';
import { tempFolder } from './setup/temp-folder';
import { tempHome } from './setup/temp-home';

const root = tempFolder();

test('makes a folder with those above it, for the user only, and leaves one that is there', () => {
  for (const _ of [1, 2]) makeFolder(join(root, 'a', 'b'));
  const modes = ['a', 'a/b'].map((path) => (statSync(join(root, path)).mode & 0o777).toString(8));
  expect(modes).toEqual(['700', '700']);
});

test('a file in the way is told', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow(/^EEXIST/);
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow(/^(ENOTDIR|EEXIST)/);
});

(existsSync('/proc/self') ? test : test.skip)('a state folder where none can be made is named at once', () => {
  const home = tempHome();
  const { status, stderr } = spawnSync(process.execPath, [cliPath, 'please answer'], {
    env: home.environment({ XDG_STATE_HOME: '/proc/drivebay-nowhere' }),
    cwd: home.directory,
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: the state folder \S+ cannot be used: E.*\n {2}choose .*XDG_STATE_HOME=/),
  ]);
});

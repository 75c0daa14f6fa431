import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';

test('a release stops at the first step that fails, and makes nothing of what is not committed', () => {
  const root = tempFolder();
  mkdirSync(join(root, 'bin'));
  const needed = ['bin/release.js', 'bin/licences.js', 'package.json', 'package-lock.json', 'CHANGELOG.md'];
  for (const file of needed) cpSync(join(repository, file), join(root, file));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/release.js')], {
    cwd: root,
    // A folder above may be a clone.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: join(root, '..') },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '== the checkout is the release\n']);
  expect(stderr).toMatch(/not committed, or this is no clone: commit them\n== stopped: the checkout is the release\n$/);
  expect(readdirSync(join(root, 'release'))).toEqual([]);
});

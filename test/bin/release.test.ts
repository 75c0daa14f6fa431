import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';

const BUILD = 'mkdir dist && cp built.txt dist/THIRD-PARTY.txt';

test('a release stops at the first step that fails, and makes nothing of what is not committed', () => {
  const root = tempFolder();
  mkdirSync(join(root, 'bin'));
  const needed = ['bin/release.js', 'bin/licences.js', 'package.json', 'package-lock.json'];
  for (const file of needed) cpSync(join(repository, file), join(root, file));
  writeFileSync(join(root, 'CHANGELOG.md'), '## [Unreleased]\n');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/release.js')], {
    cwd: root,
    // A folder above may be a clone.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: join(root, '..') },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '== the checkout is the release\n']);
  expect(stderr).toMatch(/not committed, or this is not a clone: commit them\n {3}CHANGELOG\.md has no heading "## \[/);
  expect(stderr).toMatch(/\n== stopped: the checkout is the release\n$/);
  expect(readdirSync(join(root, 'release'))).toEqual([]);
});

test.each([
  ['a licence that is not allowed', BUILD, /^ {3}not allowed: odd@1\.0\.0 \(GPL-3\.0\)/m],
  [
    'no word of what is compiled in',
    '',
    /^ {3}nothing is known of what is compiled in: \S+THIRD-PARTY\.txt is missing/m,
  ],
])('%s would stop a release, and the dry run goes on to its end', (_, build, told) => {
  const root = tempFolder();
  mkdirSync(join(root, 'bin'));
  for (const file of ['bin/release.js', 'bin/licences.js', 'CHANGELOG.md'])
    cpSync(join(repository, file), join(root, file));
  writeFileSync(join(root, 'package.json'), '{"name":"drivebay","version":"0.1.0"}');
  const odd = { version: '1.0.0', dev: true, license: 'GPL-3.0' };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/odd': odd } }));
  writeFileSync(join(root, 'built.txt'), `${'='.repeat(80)}\n\nodd 1.0.0: GPL-3.0\n`);
  writeFileSync(join(root, 'npm'), `#!/bin/sh\n[ "$1" = pack ] || exit 1\n${build}\n`);
  chmodSync(join(root, 'npm'), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/release.js'), '--dry-run'], {
    cwd: root,
    env: { ...process.env, PATH: `${root}:${process.env.PATH ?? ''}` },
    encoding: 'utf8',
  });
  expect(stderr).toMatch(told);
  expect(stderr).toMatch(/^== this would stop a release: .*known vulnerabilities, .*licences/m);
  expect([status, stdout]).toEqual([1, expect.stringContaining('left out: npm publish')]);
});

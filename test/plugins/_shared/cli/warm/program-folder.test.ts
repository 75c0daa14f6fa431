import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { programFolder } from '../../../../../plugins/_shared/cli/warm/program-folder';
import { TempHome } from '../../../../setup/temp-home';

test('folders of daemons that are gone are removed, and no others', () => {
  const home = new TempHome();
  try {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const others = [`warm-${process.ppid}-1`, `other-${pid}-1`, 'warm', `warm-${pid}-mine`];
    const before = readdirSync(home.directory);
    for (const name of [`warm-${pid}-1`, ...others]) mkdirSync(join(home.directory, name));
    const made = [programFolder(home.directory, 'warm'), programFolder(home.directory, 'warm')];
    expect(readdirSync(home.directory).sort()).toEqual(
      [...before, ...others, ...made.map((path) => basename(path))].sort(),
    );
  } finally {
    home.remove();
  }
});

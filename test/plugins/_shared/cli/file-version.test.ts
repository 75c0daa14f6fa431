import { chmodSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReadFile, versionOf } from '../../../../plugins/_shared/cli/file-version';
import { tempFolder } from '../../../setup/temp-folder';
import { until } from '../../../setup/until';

const folder = tempFolder();
const file = join(folder, 'file');
const SECOND = new Date(1_700_000_000_000);

/** As installers do: a file of the same size, with the same time of change. */
function install(text: string): void {
  writeFileSync(`${file}.new`, text);
  utimesSync(`${file}.new`, SECOND, SECOND);
  renameSync(`${file}.new`, file);
}

test('a version differs after each change, even to a file of equal size and time, and for another target of a link', () => {
  const seen = [versionOf(file)];
  expect(seen).toEqual(['']);
  install('one');
  seen.push(versionOf(file));
  install('two');
  seen.push(versionOf(file));
  const link = join(folder, 'link');
  writeFileSync(join(folder, 'other'), 'two');
  symlinkSync(file, link);
  expect(versionOf(link)).toBe(versionOf(file));
  rmSync(link);
  symlinkSync(join(folder, 'other'), link);
  seen.push(versionOf(link));
  expect(new Set(seen).size).toBe(4);
  expect(versionOf(join(file, 'below'))).toBe('');
});

test('a file is read once, and again when it has changed, has gone, or changes so often that its times tell nothing', async () => {
  const read: string[] = [];
  const settings = new ReadFile((text) => {
    read.push(text);
    return text.toUpperCase();
  });
  install('three');
  // As soon as the file has had its times for a while, one reading is enough.
  await until(() => {
    const before = read.length;
    expect([settings.get(file), settings.get(file)]).toEqual(['THREE', 'THREE']);
    return read.length === before;
  });
  install('THIRD');
  expect(settings.get(file)).toBe('THIRD');
  writeFileSync(file, 'third');
  expect([settings.get(file), read.at(-1)]).toEqual(['THIRD', 'third']);
  chmodSync(file, 0o600);
  rmSync(file);
  expect(settings.get(file)).toBe('');
});

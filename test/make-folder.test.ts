import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../core/make-folder';
import { tempFolder } from './setup/temp-folder';

const root = tempFolder();

test('makes a folder with those above it, for the user only, and leaves one that is there', () => {
  for (const _ of [1, 2]) makeFolder(join(root, 'a', 'b'));
  const modes = ['a', 'a/b'].map((path) => (statSync(join(root, path)).mode & 0o777).toString(8));
  expect(modes).toEqual(['700', '700']);
});

test('a file in the way is told', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow(/^EEXIST/);
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow(/^ENOTDIR/);
  expect(() => makeFolder(join(root, 'file', 'below', 'this'))).toThrow(/^ENOTDIR/);
});

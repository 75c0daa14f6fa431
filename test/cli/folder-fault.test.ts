import fs from 'node:fs/promises';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderFault, sayUnkept } from '../../core/cli/folder-fault';
import { tempFolder } from '../setup/temp-folder';

const folder = tempFolder();
const file = join(folder, 'file');
writeFileSync(file, '');

afterEach(() => jest.restoreAllMocks());

test('a folder that can be written has none, nor has one that can be made', async () => {
  expect(await folderFault(folder)).toBeUndefined();
  expect(await folderFault(join(folder, 'to', 'be', 'made'))).toBeUndefined();
});

test('a file in its place, or above it, is one', async () => {
  expect(await folderFault(file)).toEqual({ reason: `${file} is not a folder`, isFull: false });
  expect(await folderFault(join(file, 'below'))).toEqual({
    reason: `${file}/below cannot be written to (ENOTDIR)`,
    isFull: false,
  });
});

test('a link that leads nowhere is one, also above it: nothing can be made there', async () => {
  symlinkSync(join(folder, 'unmounted'), join(folder, 'link'));
  for (const place of [join(folder, 'link'), join(folder, 'link', 'state', 'drivebay')]) {
    expect(await folderFault(place)).toEqual({
      reason: `${folder}/link is a symbolic link that leads nowhere`,
      isFull: false,
    });
  }
});

test.each([
  ['without space', { bavail: 0, bsize: 4096, files: 100, ffree: 50 }, 'is full'],
  ['with little space', { bavail: 255, bsize: 4096, files: 100, ffree: 50 }, 'has only 1020 KiB left'],
  ['with a mebibyte', { bavail: 256, bsize: 4096, files: 100, ffree: 50 }, undefined],
  ['without room for another file', { bavail: 1e6, bsize: 4096, files: 100, ffree: 0 }, 'is full'],
  ['that does not count its space', { blocks: 0, bavail: 0, bsize: 4096, files: 0, ffree: 0 }, undefined],
  ['that does not count files', { bavail: 1e6, bsize: 4096, files: 0, ffree: 0 }, undefined],
])('a disk %s: what is said of it?', async (_, numbers, words) => {
  jest.spyOn(fs, 'statfs').mockResolvedValue(numbers as Awaited<ReturnType<typeof fs.statfs>>);
  const isNearly = words?.includes('only') ? { isNearly: true } : {};
  expect(await folderFault(folder)).toEqual(
    words && { reason: `the disk of ${folder} ${words}`, isFull: true, ...isNearly },
  );
});

test.each([
  [0, 'usage cannot be kept: the disk of'],
  [8, 'usage may soon not be kept: the disk of'],
])('with %d blocks left, a command does not say more than it knows', async (bavail, words) => {
  const numbers = { blocks: 100, bavail, bsize: 4096, files: 100, ffree: 50 };
  jest.spyOn(fs, 'statfs').mockResolvedValue(numbers as Awaited<ReturnType<typeof fs.statfs>>);
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await sayUnkept('usage', folder)).toBe(true);
  expect(written).toHaveBeenCalledWith(expect.stringContaining(`warning: ${words} ${folder}`));
});

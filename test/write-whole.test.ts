import { spawnSync } from 'node:child_process';
import fs, {
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { removeDrafts, writeWhole, writeWholeLater } from '../core/write-whole';
import { repository } from './setup/repository';
import { tempFolder } from './setup/temp-folder';

const folder = tempFolder();
const OLD = 'the old one\n';
const NEW = 'the new one\n'.repeat(1000);
const ways = [
  ['at once', writeWhole],
  ['later', writeWholeLater],
] as const;

let count = 0;
function newFolder(): string {
  const made = join(folder, String((count += 1)));
  mkdirSync(made);
  return made;
}

/** Writes, and is killed before its n-th work on a file. */
const KILLED = `
  const fs = require('node:fs');
  const later = require('node:fs/promises');
  const { writeWhole, writeWholeLater } = require('./core/write-whole');
  const [, , way, file, at] = process.argv;
  let left = Number(at);
  function count(object, names) {
    for (const name of names) {
      const work = object[name];
      object[name] = function (...given) {
        if ((left -= 1) === 0) process.kill(process.pid, 'SIGKILL');
        return work.apply(this, given);
      };
    }
  }
  async function go() {
    const handle = await later.open(process.execPath);
    await handle.close();
    count(Object.getPrototypeOf(handle), ['chmod', 'writeFile', 'sync', 'close']);
    count(later, ['open', 'rm']);
    const sync = ['openSync', 'fchmodSync', 'writeSync', 'fsyncSync', 'closeSync', 'linkSync', 'renameSync', 'rmSync'];
    count(fs, sync);
    const content = ${JSON.stringify(NEW)};
    await (way === 'later' ? writeWholeLater : writeWhole)(file, content);
  }
  void go();
`;

test.each(ways)(
  'wherever a program that writes %s is killed, the file is the one before or the new one, and the next write removes the rest',
  (way) => {
    const program = join(folder, 'killed.js');
    const stdin = { contents: KILLED, resolveDir: repository };
    buildSync({ stdin, bundle: true, platform: 'node', outfile: program, logLevel: 'silent' });
    const seen = new Set<string>();
    for (let step = 1; ; step += 1) {
      const file = join(newFolder(), 'file');
      writeFileSync(file, OLD);
      const { signal } = spawnSync(process.execPath, [program, way === 'later' ? way : 'now', file, String(step)]);
      const content = readFileSync(file, 'utf8');
      expect([OLD, NEW]).toContain(content);
      seen.add(content);
      if (signal === null) break;
      expect([signal, step < 20]).toEqual(['SIGKILL', true]);
      expect(content).toBe(OLD);
      const left = readdirSync(join(file, '..'));
      for (const name of left) utimesSync(join(file, '..', name), 1, 1);
      removeDrafts(join(file, '..'));
      expect(readdirSync(join(file, '..'))).toEqual(['file']);
    }
    expect(seen).toEqual(new Set([OLD, NEW]));
  },
);

test.each(ways)(
  'a write %s is for the user alone, replaces the target of a link, and keeps what it was told to',
  async (_, write) => {
    const place = newFolder();
    const [target, link] = [join(place, 'target'), join(place, 'link')];
    writeFileSync(target, OLD, { mode: 0o644 });
    symlinkSync(target, link);
    await write(link, NEW);
    expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual([NEW, 0o600]);
    await write(target, NEW, { mode: 0o640 });
    expect(statSync(link).mode & 0o777).toBe(0o640);
    const attempt = async () => write(link, OLD, { isNew: true });
    await expect(attempt()).rejects.toMatchObject({ code: 'EEXIST' });
    expect([readFileSync(target, 'utf8'), readdirSync(place)]).toEqual([NEW, ['link', 'target']]);
    await write(join(place, 'new'), OLD, { isNew: true });
    expect(readdirSync(place)).toEqual(['link', 'new', 'target']);
  },
);

test.each(ways)('a write %s through a link makes the target that is not there yet', async (_, write) => {
  const [place, other] = [newFolder(), newFolder()];
  symlinkSync('second', join(place, 'link'));
  symlinkSync(join(other, 'target'), join(place, 'second'));
  await write(join(place, 'link'), NEW);
  expect([readFileSync(join(other, 'target'), 'utf8'), readdirSync(place)]).toEqual([NEW, ['link', 'second']]);
});

test.each(ways)(
  'a new file %s that another program makes first is there already, also without links',
  async (_, write) => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, OLD);
    const links = jest.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    });
    try {
      const attempt = async () => write(file, NEW, { isNew: true });
      await expect(attempt()).rejects.toMatchObject({ code: 'EEXIST' });
      await write(join(file, '../other'), NEW, { isNew: true });
      expect(links).toHaveBeenCalledTimes(2);
    } finally {
      links.mockRestore();
    }
    expect([readFileSync(file, 'utf8'), readdirSync(join(file, '..'))]).toEqual([OLD, ['file', 'other']]);
  },
);

test('what cannot be removed does not keep the drafts behind it', () => {
  const place = newFolder();
  mkdirSync(join(place, '.a.drivebay-0123abcd'));
  symlinkSync('nowhere', join(place, '.b.drivebay-0123abcd'));
  writeFileSync(join(place, '.c.drivebay-0123abcd'), '');
  for (const name of readdirSync(place)) lutimesSync(join(place, name), 1, 1);
  removeDrafts(place);
  expect(readdirSync(place)).toEqual(['.a.drivebay-0123abcd']);
});

test('a draft that is young, and a file of another program, stay', () => {
  const place = newFolder();
  const names = ['.a.drivebay-0123abcd', '.b.drivebay-0123abcd', '.swp', 'c.drivebay-0123abcd'];
  for (const name of names) writeFileSync(join(place, name), '');
  for (const name of names.slice(1)) utimesSync(join(place, name), 1, 1);
  writeWhole(join(place, 'file'), NEW);
  expect(readdirSync(place).sort()).toEqual(['.a.drivebay-0123abcd', '.swp', 'c.drivebay-0123abcd', 'file']);
});

/** Writes where it cannot, and prints why not. */
const REFUSED = `
  const { writeNewFile } = require('./core/config/write-new-file');
  const { writeWhole, writeWholeLater } = require('./core/write-whole');
  const withCopy = (file, text) => writeNewFile(file, text, { existing: 'copied' });
  async function go() {
    for (const write of [writeWhole, writeWholeLater, withCopy]) {
      try {
        await write(process.argv[2], 'x'.repeat(200_000));
      } catch (error) {
        console.log(error.code);
      }
    }
  }
  void go();
`;
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

(canMount ? test : test.skip)(
  'a full disk and one that is read-only leave the file as it was, and nothing beside it',
  () => {
    const program = join(folder, 'refused.js');
    const stdin = { contents: REFUSED, resolveDir: repository };
    buildSync({ stdin, bundle: true, platform: 'node', outfile: program, logLevel: 'silent' });
    const disk = newFolder();
    const script = `mount -t tmpfs -o size=64k none "$1" && echo old >"$1/file" && "$2" "$3" "$1/file" &&
    mount -o remount,ro "$1" && "$2" "$3" "$1/file"; ls -A "$1"; cat "$1/file"`;
    const given = ['--mount', 'sh', '-c', script, 'sh', disk, process.execPath, program];
    const full = ['ENOSPC', 'ENOSPC', 'ENOSPC'];
    const { stdout } = spawnSync('unshare', given, { encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual([...full, ...full.map(() => 'EROFS'), 'file', 'old']);
  },
);

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';
import { WORDS, type Writer, writers } from './writers';

const root = tempFolder();
const program = join(root, 'program.js');
const all = Object.entries(writers);
const { old, new: fresh, next } = WORDS;
let count = 0;

beforeAll(() => {
  const entryPoints = [join(repository, 'test/writes/program.ts')];
  buildSync({ entryPoints, bundle: true, platform: 'node', outfile: program, logLevel: 'silent' });
});

function newFolder(): string {
  const made = join(root, String((count += 1)));
  mkdirSync(made);
  return made;
}

const after = ({ isOne }: Writer, before: string[], word: string) => (isOne ? [word] : [...before, word]);

test.each(all)(
  'wherever a program is killed, %s: what was before or all of the new, and the next word is kept',
  async (name, writer) => {
    const before = newFolder();
    await writer.write(before, [old]);
    const seen = new Set<string>();
    for (let step = 1; ; step += 1) {
      const folder = newFolder();
      cpSync(before, folder, { recursive: true });
      const { signal, stderr } = spawnSync(process.execPath, [program, 'killed', name, folder, String(step)]);
      expect(stderr.toString()).toBe('');
      const found = await writer.read(folder);
      expect([[old], after(writer, [old], fresh)]).toContainEqual(found);
      await writer.write(folder, [next]);
      expect(await writer.read(folder)).toEqual(after(writer, found, next));
      seen.add(found.at(-1)!);
      if (signal === null) break;
      expect([signal, step < 100]).toEqual(['SIGKILL', true]);
    }
    expect(seen).toEqual(new Set([old, fresh]));
  },
);

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const MOUNTED = 'mount -t tmpfs -o size=256k none "$1" && exec "$2" "$3" bad-disk "$4" "$1"';

(canMount ? test : test.skip).each(all)(
  'on a full disk, and on one that is read-only, %s: what was before, and what the disk takes later',
  (name, writer) => {
    const given = ['--mount', 'sh', '-c', MOUNTED, 'sh', newFolder(), process.execPath, program, name];
    const { stdout, stderr, status } = spawnSync('unshare', given, { encoding: 'utf8' });
    const [first, full, freed, readOnly] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    expect([status, stderr.replace(/^warning: .*\n/gm, ''), first]).toEqual([0, '', [old]]);
    // The name of a file says what is trusted: it needs no space.
    expect(full).toEqual(name === 'what is trusted' ? [old, fresh] : [old]);
    expect(freed).toEqual(after(writer, full!, next));
    expect(readOnly).toEqual(freed);
  },
);

test.each([
  ['the ledger', 4_000],
  ['the records of agents', 60],
  ['the history of a prompt', 400],
])('of two programs at once, %s: every word of both', async (name, many) => {
  const folder = newFolder();
  const words = ['a', 'b'].map((each) => Array.from({ length: many }, (_, at) => `${each}${at}`));
  const children = words.map((given) => {
    const child = spawn(process.execPath, [program, 'write', name, folder], { stdio: ['pipe', 'inherit', 'inherit'] });
    child.stdin.end(given.join('\n'));
    return child;
  });
  await Promise.all(children.map((child) => once(child, 'close')));
  const found = new Set(await writers[name]!.read(folder));
  expect(words.flat().filter((word) => !found.has(word))).toEqual([]);
});

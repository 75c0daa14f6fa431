import fs, { lutimesSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../../core/daemon/socket/take-over-lock';
import { localProcesses } from '../../../core/subprocess/local-processes';
import { tempFolder } from '../../setup/temp-folder';

const folder = tempFolder();
const { namespace } = localProcesses().identity;
/** No process has this start. */
const DEAD = `${namespace}.${process.pid}.1`;

async function together(path: string, count: number): Promise<number> {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (inside += 1));
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: count }, () => withLock(path, work)));
  return most;
}

test.each([
  ['a free lock', {}],
  ['the lock of a holder that was killed', { lock: DEAD }],
  [
    'such a lock when the program that removed it was killed, too',
    { lock: DEAD, [`lock.${DEAD}`]: `${namespace}.${process.pid}.2` },
  ],
])('%s is taken by one program at a time, and nothing is left', async (_, files) => {
  for (const [name, holder] of Object.entries(files)) symlinkSync(holder, join(folder, name));
  expect(await together(join(folder, 'lock'), 10)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of another container expires', async () => {
  const path = join(folder, 'foreign');
  symlinkSync('99.1.1', path);
  const tries = jest.spyOn(fs, 'symlinkSync');
  const order: string[] = [];
  const waiting = withLock(path, () => void order.push('taken'));
  // It has found the lock three times, and has left it where it is.
  while (tries.mock.calls.length < 3) await new Promise(setImmediate);
  order.push('aged');
  const past = new Date(Date.now() - 60_000);
  lutimesSync(path, past, past);
  await waiting;
  expect(order).toEqual(['aged', 'taken']);
});

test('work that fails leaves no lock', async () => {
  const path = join(folder, 'failing');
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(path, () => 'yes')).toBe('yes');
});

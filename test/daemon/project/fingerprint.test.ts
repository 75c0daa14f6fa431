import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, hashFile, newChanges } from '../../../core/daemon/project/fingerprint';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();
afterAll(() => home.remove());

const one = join(home.directory, 'one.yaml');
const two = join(home.directory, 'two.yaml');

/** Looks at both files, again and again. What had changed before is known already. */
function watch(files = { [one]: hashFile(one), [two]: hashFile(two) }): () => string[] {
  let changed = changedFiles({ files });
  return () => {
    const before = changed;
    changed = changedFiles({ files });
    return newChanges(changed, before);
  };
}

beforeEach(() => {
  writeFileSync(one, 'one');
  rmSync(two, { force: true });
});

test('a file that is written, made or removed is told of once', () => {
  const take = watch();
  expect(take()).toEqual([]);
  writeFileSync(one, 'other');
  expect([take(), take()]).toEqual([[one], []]);
  writeFileSync(two, 'two');
  rmSync(one);
  expect([take(), take()]).toEqual([[one, two], []]);
});

test('one that is saved without a change, or is back to what is in use, is not', () => {
  const take = watch();
  writeFileSync(one, 'one');
  expect(take()).toEqual([]);
  writeFileSync(one, 'other');
  take();
  writeFileSync(one, 'one');
  expect(take()).toEqual([]);
  writeFileSync(one, 'other');
  expect(take()).toEqual([one]);
});

test('what had changed before is known already', () => {
  const inUse = { [one]: hashFile(one) };
  writeFileSync(one, 'other');
  const take = watch(inUse);
  expect(take()).toEqual([]);
});

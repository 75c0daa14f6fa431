import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileChanges, hashFile } from '../../../core/daemon/project/fingerprint';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();
afterAll(() => home.remove());

const one = join(home.directory, 'one.yaml');
const two = join(home.directory, 'two.yaml');

/** Watches both files, as they are now. */
function watch(): FileChanges {
  return new FileChanges({ [one]: hashFile(one), [two]: hashFile(two) });
}

beforeEach(() => {
  writeFileSync(one, 'one');
  rmSync(two, { force: true });
});

test('a file that is written, made or removed is told of once', () => {
  const changes = watch();
  expect(changes.take()).toEqual([]);
  writeFileSync(one, 'other');
  expect([changes.take(), changes.take()]).toEqual([[one], []]);
  writeFileSync(two, 'two');
  rmSync(one);
  expect([changes.take(), changes.take()]).toEqual([[one, two], []]);
});

test('one that is saved without a change, or is back to what is in use, is not', () => {
  const changes = watch();
  writeFileSync(one, 'one');
  expect(changes.take()).toEqual([]);
  writeFileSync(one, 'other');
  changes.take();
  writeFileSync(one, 'one');
  expect(changes.take()).toEqual([]);
  writeFileSync(one, 'other');
  expect(changes.take()).toEqual([one]);
});

test('what had changed before is known already', () => {
  const inUse = { [one]: hashFile(one) };
  writeFileSync(one, 'other');
  const changes = new FileChanges(inUse);
  expect(changes.take()).toEqual([]);
});

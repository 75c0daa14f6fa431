import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerId } from '../../core/record/ledger-id';
import { monthFiles } from '../../core/record/ledger-files';
import { TempHome } from '../setup/temp-home';

const home = new TempHome();
afterAll(() => home.remove());

test('a ledger keeps its name, has none in common with another one, and no month has it', async () => {
  const [one, other] = ['one', 'other'].map((name) => join(home.directory, name));
  const id = ledgerId(one!);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect([ledgerId(one!), ledgerId(other!) === id]).toEqual([id, false]);
  expect(readFileSync(join(one!, 'usage/ledger.id'), 'utf8')).toBe(`${id}\n`);
  expect(await monthFiles(one!)).toEqual([]);
});

test.each([
  ['a folder that cannot be made', () => home.write('a-file', '')],
  ['a file that is something else', () => join(home.write('odd/usage/ledger.id', '{}'), '../..')],
])('with %s it has one for now', (_, state) => {
  const folder = state();
  expect(ledgerId(folder)).toMatch(/^[0-9a-f-]{36}$/);
});

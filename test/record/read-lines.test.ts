import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from '../../core/record/read-lines';
import { tempHome } from '../setup/temp-home';

const home = tempHome();

async function valuesOf(file: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readLines(file)) values.push(value);
  return values;
}

test('a line that is torn is undefined, and a file that is not there has no lines', async () => {
  expect(await valuesOf(home.write('torn', '{"a":1}\n{"b":'))).toEqual([{ a: 1 }, undefined]);
  expect(await valuesOf(join(home.directory, 'absent'))).toEqual([]);
});

test('a folder in the place of the file is an error that names it', async () => {
  const folder = join(home.directory, 'folder');
  mkdirSync(folder);
  await expect(valuesOf(folder)).rejects.toMatchObject({ code: 'EISDIR', path: folder });
});

test('a folder in the place of the ledger is told with the variable that moves the state folder', async () => {
  const ledger = join(home.directory, '.local/state/drivebay/usage/2026-01.ndjson');
  mkdirSync(ledger, { recursive: true });
  const { stderr } = await home.run('usage');
  expect(stderr).toContain(`${ledger} is a folder, and a file of ours belongs there`);
  expect(stderr).toContain('export XDG_STATE_HOME=');
});

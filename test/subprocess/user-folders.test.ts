import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { userFolders } from '../../core/subprocess/user-folders';
import { TempHome } from '../setup/temp-home';

const home = new TempHome();
afterAll(() => home.remove());

function install(root: string, ...versions: string[]): void {
  for (const version of versions) mkdirSync(join(home.directory, root, 'versions/node', version), { recursive: true });
}

it('names the fixed folders where nvm is not installed', async () => {
  const folders = await userFolders({}, join(home.directory, 'nobody'));
  expect(folders).toEqual([join(home.directory, 'nobody/.local/bin'), join(home.directory, 'nobody/.bun/bin')]);
});

it('takes the highest version of nvm by number, between the two', async () => {
  install('.nvm', 'v9.11.2', 'v20.9.0', 'v20.10.0', 'v20.9.10', 'system', 'v99');
  expect(await userFolders({ NVM_DIR: '' }, home.directory)).toEqual([
    join(home.directory, '.local/bin'),
    join(home.directory, '.nvm/versions/node/v20.10.0/bin'),
    join(home.directory, '.bun/bin'),
  ]);
});

it('looks where NVM_DIR says', async () => {
  install('elsewhere', 'v8.0.0');
  const folders = await userFolders({ NVM_DIR: join(home.directory, 'elsewhere') }, home.directory);
  expect(folders[1]).toBe(join(home.directory, 'elsewhere/versions/node/v8.0.0/bin'));
});

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { userFolders } from '../../core/subprocess/user-folders';
import { tempFolder } from '../setup/temp-folder';

const home = tempFolder();
for (const version of ['v9.11.2', 'v20.9.0', 'v20.10.0', 'v20.9.10', 'system', 'v99']) {
  mkdirSync(join(home, '.nvm/versions/node', version), { recursive: true });
}
mkdirSync(join(home, 'elsewhere/versions/node/v8.0.0'), { recursive: true });

test.each([
  ['without nvm the fixed folders alone', {}, 'nobody', []],
  ['the highest version of nvm by number', { NVM_DIR: '' }, '', ['.nvm/versions/node/v20.10.0/bin']],
  ['that of NVM_DIR', { NVM_DIR: join(home, 'elsewhere') }, '', ['elsewhere/versions/node/v8.0.0/bin']],
])('it names %s', async (_, environment, place, node) => {
  const expected = [join(place, '.local/bin'), ...node, join(place, '.bun/bin')].map((folder) => join(home, folder));
  expect(await userFolders(environment, join(home, place))).toEqual(expected);
});

import { join } from 'node:path';
import { repository } from '../setup/source-files';
import { TempHome } from '../setup/temp-home';
import { followPage } from './follow-page';
import { Terminal } from './terminal';

const home = new TempHome();
const terminal = new Terminal({
  home: home.directory,
  cwd: repository,
  env: home.environment({ npm_config_offline: 'true', npm_config_update_notifier: 'false' }),
});
afterAll(async () => {
  await terminal.close();
  home.remove();
});

/** The page begins with an installed Drivebay; test/package.slow.test.ts has one. */
const IN_A_CLONE = `export DRIVEBAY='${repository}'; alias drivebay='${join(repository, 'bin/cli')}'`;

test('a reader who follows docs/writing-a-driver.md in a clone, step by step, sees what it says', async () => {
  await followPage('docs/writing-a-driver.md', terminal, (script) =>
    script.replace(/^export DRIVEBAY=.*$/m, () => IN_A_CLONE),
  );
}, 180_000);

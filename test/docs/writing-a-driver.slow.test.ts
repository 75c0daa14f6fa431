import { join } from 'node:path';
import { repository } from '../setup/repository';
import { tempHome } from '../setup/temp-home';
import { followPage } from './follow-page';

/** The page begins with an installed Drivebay; test/package.slow.test.ts has one. */
const IN_A_CLONE = `export DRIVEBAY='${repository}'; alias drivebay='${join(repository, 'bin/cli')}'`;

test('a reader who follows docs/writing-a-driver.md in a clone, step by step, sees what it says', async () => {
  const home = tempHome();
  const env = home.environment({ npm_config_offline: 'true', npm_config_update_notifier: 'false' });
  const adapt = (script: string) => script.replace(/^export DRIVEBAY=.*$/m, () => IN_A_CLONE);
  await followPage('docs/writing-a-driver.md', { home, cwd: repository, env, adapt });
});

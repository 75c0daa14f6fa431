import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from '../bench/processes.mjs';
import { PROBE } from './probe.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** Makes the folders and programs of a house, and returns the environment of its daemons. */
export function makeHome({ home, scratch, work, agent }) {
  const probe = join(home, 'config', 'drivebay', 'plugins', 'probe');
  for (const each of [probe, scratch, work]) mkdirSync(each, { recursive: true });
  const manifest = { apiVersion: 1, driver: 'probe', kind: 'http', main: './index.js', summary: 'probe' };
  writeFileSync(join(probe, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(probe, 'index.js'), PROBE);
  copyFileSync(join(here, 'fake-agent.sh'), agent);
  // The questions that agents have been asked, one a line.
  writeFileSync(join(home, 'asked'), '');
  return {
    ...{ ...ENVIRONMENT, HOME: home, TMPDIR: scratch, NO_COLOR: '1', SOAK_KEY: 'sk-soak-0123456789' },
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
}

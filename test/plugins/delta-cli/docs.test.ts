import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '../../../core/plugins/manifest';
import { runCli } from '../../setup/run-cli';
import { repository } from '../../setup/source-files';
import { TempHome } from '../../setup/temp-home';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const page = read('docs/drivers/delta-cli.md');
const { options } = parseManifest(read('plugins/delta-cli/manifest.json'));

test('the page explains every option of the manifest, and no other', () => {
  const table = page.slice(page.indexOf('## Options'), page.indexOf('## What is passed'));
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(options));
});

test('the page names the default of the sandbox and of the program', () => {
  for (const name of ['command', 'sandbox_mode']) {
    expect(page).toContain(`| \`${name}\` | \`${String(options[name]!.default)}\` |`);
  }
});

test('the providers.yaml of the page is valid', async () => {
  const home = new TempHome();
  home.configure(/```yaml\n([^]*?)```/.exec(page)![1]!);
  const { code, stderr } = await runCli(['config', 'check'], { env: home.environment() });
  home.remove();
  expect([code, stderr]).toEqual([0, '']);
});

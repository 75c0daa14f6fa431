import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '../../../core/plugins/manifest';
import { runCli } from '../../setup/run-cli';
import { repository } from '../../setup/source-files';
import { TempHome } from '../../setup/temp-home';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const page = read('docs/drivers/alpha-cli.md');
const { options } = parseManifest(read('plugins/alpha-cli/manifest.json'));

it('explains every option of the manifest, and no other', () => {
  const table = page.slice(page.indexOf('## Options'), page.indexOf('## What is passed'));
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(options).sort());
});

it('names every permission mode, and the one that is used', () => {
  const { enum: modes, default: mode } = options.permission_mode as { enum: string[]; default: string };
  const row = page.split('\n').find((line) => line.startsWith('| `permission_mode` |')) ?? '';
  expect(modes.filter((name) => name && !row.includes(`\`${name}\``))).toEqual([]);
  expect(row).toContain(`| \`${mode}\` |`);
});

it('has a providers.yaml that is valid', async () => {
  const home = new TempHome();
  home.configure(/```yaml\n([^]*?)```/.exec(page)![1]!);
  const { code, stderr } = await runCli(['config', 'check'], { env: home.environment() });
  home.remove();
  expect([code, stderr]).toEqual([0, '']);
});

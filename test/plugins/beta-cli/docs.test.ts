import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '../../../core/plugins/manifest';
import { runCli } from '../../setup/run-cli';
import { repository } from '../../setup/source-files';
import { TempHome } from '../../setup/temp-home';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const page = read('docs/drivers/beta-cli.md');
const { options } = parseManifest(read('plugins/beta-cli/manifest.json'));

test('the page explains every option of the manifest, and no other', () => {
  const table = page.slice(page.indexOf('## Options'), page.indexOf('## What is passed'));
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(options));
});

test('the providers.yaml of the page is valid', async () => {
  const home = new TempHome();
  home.configure(/```yaml\n([^]*?)```/.exec(page)![1]!);
  const { code, stderr } = await runCli(['config', 'check'], { env: home.environment() });
  home.remove();
  expect([code, stderr]).toEqual([0, '']);
});

test('options of other drivers are warned about, each by its name', async () => {
  const home = new TempHome();
  const options =
    'reasoning_effort: high\n    extra_args: [--x]\n    sandbox_mode: read-only\n    permission_mode: plan';
  home.configure(`version: "1"\nproviders:\n  - name: c\n    driver: cursor\n    ${options}\n`);
  const { code, stderr } = await runCli(['config', 'check'], { env: home.environment() });
  home.remove();
  expect(code).toBe(0);
  for (const name of ['reasoning_effort', 'extra_args', 'sandbox_mode', 'permission_mode'])
    expect(stderr).toContain(name);
});

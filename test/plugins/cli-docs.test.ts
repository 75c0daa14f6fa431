import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '../../core/plugins/manifest';
import { runCli } from '../setup/run-cli';
import { repository } from '../setup/source-files';
import { TempHome } from '../setup/temp-home';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const DRIVERS = ['alpha-cli', 'beta-cli', 'gamma-cli', 'delta-cli'];

async function check(config: string) {
  const home = new TempHome();
  home.configure(config);
  const { code, stderr } = await runCli(['config', 'check'], { env: home.environment() });
  home.remove();
  return { code, stderr };
}

describe.each(DRIVERS)('the page of %s', (driver) => {
  const page = read(`docs/drivers/${driver}.md`);
  const { options } = parseManifest(read(`plugins/${driver}/manifest.json`));
  const rows = page.slice(page.indexOf('## Options'), page.indexOf('## What is passed')).split('\n');
  const rowOf = (name: string) => rows.find((row) => row.startsWith(`| \`${name}\` |`));

  test('explains every option of the manifest, and no other', () => {
    const named = rows.flatMap((row) => /^\| `(\w+)` \|/.exec(row)?.[1] ?? []);
    expect(named.sort()).toEqual(Object.keys(options).sort());
  });

  test('names the defaults, and every value that an option may have', () => {
    for (const [name, option] of Object.entries(options)) {
      const values = ((option.enum ?? []) as string[]).filter((value) => value !== '');
      expect(values.filter((value) => !rowOf(name)?.includes(`\`${value}\``))).toEqual([]);
      const { default: preset } = option as { default?: string | number | boolean | unknown[] };
      const shown = preset === undefined || Array.isArray(preset) ? 'none' : `\`${preset}\``;
      expect(rowOf(name)).toContain(`| \`${name}\` | ${shown} |`);
    }
  });

  test('has a providers.yaml that is valid', async () => {
    const yaml = /```yaml\n([^]*?)```/.exec(page)?.[1];
    expect(await check(yaml ?? '')).toEqual({ code: 0, stderr: '' });
  });
});

test.each([
  ['cursor', { reasoning_effort: 'high', extra_args: '[--x]', sandbox_mode: 'read-only', permission_mode: 'plan' }],
  ['qwen-code', { reasoning_effort: 'high', sandbox_mode: 'read-only', permission_mode: 'plan' }],
])('%s warns about options of other drivers, each by its name', async (driver, options) => {
  const lines = Object.entries(options).map(([name, value]) => `    ${name}: ${value}\n`);
  const { code, stderr } = await check(
    `version: "1"\nproviders:\n  - name: c\n    driver: ${driver}\n${lines.join('')}`,
  );
  expect(code).toBe(0);
  for (const name of Object.keys(options)) expect(stderr).toMatch(new RegExp(`does not use .*\\b${name}\\b`));
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { driverNames } from '../../core/plugins/manifest';
import { repository } from '../setup/repository';
import { configurationTables, manifests } from './configuration-tables';
import { testGeneratedParts } from './generated-parts';

const page = readFileSync(join(repository, 'docs/configuration-reference.md'), 'utf8');

testGeneratedParts('docs/configuration-reference.md', configurationTables);

test.each(manifests.map((manifest) => [driverNames(manifest), manifest.kind] as const))(
  'the section of %p names its other names and its kind',
  ([shown, ...others], kind) => {
    const section = page.split(`\n## \`${shown}\`\n`)[1]?.split('\n## ')[0];
    for (const name of others) expect(section).toContain(`\`driver: ${name}\``);
    expect(section).toContain(`kind ${kind}`);
  },
);

test('every option has a meaning', () => {
  const rows = Object.values(configurationTables).flatMap((make) => make().split('\n').slice(2));
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) expect(row).not.toMatch(/\|\s+\|/);
});

test('the guide has no option table of its own', () => {
  const guide = readFileSync(join(repository, 'docs/configuration.md'), 'utf8');
  expect(guide).not.toMatch(/^\| `(timeout_sec|max_tokens|mode|max_concurrency)`/m);
});

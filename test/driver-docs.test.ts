import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../core/contract/driver-error';
import { parseManifest } from '../core/plugins/manifest';
import { repository } from './setup/source-files';

const pages = readdirSync(join(repository, 'docs', 'drivers')).map((file) => file.replace(/\.md$/, ''));

/** The first two columns of the option table: name and default. */
function optionsIn(page: string): Record<string, string> {
  const table = page.split('## Options')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| `([\w-]+)` \| ([^|]+) \|/gm)];
  return Object.fromEntries(rows.map(([, name, value]) => [name!, value!.trim()]));
}

test.each(pages)('the page of %s lists the options of its manifest, with their defaults', (driver) => {
  const folder = join(repository, 'plugins', driver);
  expect(existsSync(folder)).toBe(true);
  const manifest = parseManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const page = readFileSync(join(repository, 'docs', 'drivers', `${driver}.md`), 'utf8');
  const expected = Object.entries(manifest.options).map(([name, { default: value }]) => [
    name,
    manifest.required.includes(name) ? 'required' : isNothing(value) ? 'none' : `\`${String(value as string)}\``,
  ]);
  expect(optionsIn(page)).toEqual(Object.fromEntries(expected));
  for (const alias of manifest.aliases) expect(page).toContain(`driver: ${alias}`);
});

test.each(pages)('the page of %s explains no kind of error that there is not', (driver) => {
  const page = readFileSync(join(repository, 'docs', 'drivers', `${driver}.md`), 'utf8');
  const named = [...page.matchAll(/kind` `(\w+)`|kind `(\w+)`/g)].map(([, after, plain]) => after ?? plain);
  expect(named.filter((kind) => !(errorKinds as readonly unknown[]).includes(kind))).toEqual([]);
});

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

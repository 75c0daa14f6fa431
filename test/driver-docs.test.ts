import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../core/contract/driver-error';
import { bundledPlugins } from '../core/plugins/discover';
import { driverNames } from '../core/plugins/manifest';
import { repository } from './setup/repository';
import { tempHome } from './setup/temp-home';

const read = (...path: string[]) => readFileSync(join(repository, ...path), 'utf8');
const pages = readdirSync(join(repository, 'docs', 'drivers')).map((file) => file.replace(/\.md$/, ''));
const manifests = new Map(
  bundledPlugins().flatMap(({ manifest }) => (manifest ? [[driverNames(manifest)[0], manifest] as const] : [])),
);

test('each driver has a page, called by the name that users know', () => {
  expect(pages.sort()).toEqual([...manifests.keys()].sort());
});

test('a value of driver that only says a letter stands beside the name that users know', () => {
  const letters = [...manifests].filter(([name, { driver }]) => driver !== name);
  expect(letters.length).toBeGreaterThan(5);
  const files = ['docs', 'plugins'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const texts = files.filter((file) => /\.(md|ya?ml|json)$/.test(file) && !/decisions|manifest\.json$/.test(file));
  const lines = ['README.md', ...texts].flatMap((file) =>
    read(file)
      .split('\n')
      .map((line) => ({ file, line })),
  );
  for (const [name, { driver }] of letters) {
    const value = new RegExp(`(?<![\\w/-])${driver}(?![\\w/-])`);
    expect(lines.filter(({ line }) => value.test(line) && !line.includes(name))).toEqual([]);
  }
});

describe.each(pages)('the page of %s', (name) => {
  const page = read('docs', 'drivers', `${name}.md`);
  const { driver, options, required, aliases } = manifests.get(name)!;

  test('lists the options of its manifest, with their defaults and values', () => {
    const table = page.split('## Options')[1]?.split('\n## ')[0] ?? '';
    const rows = [...table.matchAll(/^\| `([\w-]+)` \| ([^|]+) \|(.*)/gm)];
    const expected = Object.entries(options).map(([name, { default: value }]) => [
      name,
      required.includes(name) ? 'required' : isNothing(value) ? 'none' : `\`${String(value as string)}\``,
    ]);
    expect(Object.fromEntries(rows.map(([, name, value]) => [name, value!.trim()]))).toEqual(
      Object.fromEntries(expected),
    );
    for (const [row, name] of rows) {
      const values = ((options[name!]!.enum ?? []) as string[]).filter((value) => value !== '');
      expect(values.filter((value) => !row.includes(`\`${value}\``))).toEqual([]);
    }
    for (const each of [driver, ...aliases]) expect(page).toContain(`driver: ${each}`);
  });

  test('explains no kind of error that there is not', () => {
    const named = [...page.matchAll(/kind` `(\w+)`|kind `(\w+)`/g)].map(([, after, plain]) => after ?? plain);
    expect(named.filter((kind) => !(errorKinds as readonly unknown[]).includes(kind))).toEqual([]);
  });
});

const examples = pages.flatMap((driver) =>
  [...read('docs', 'drivers', `${driver}.md`).matchAll(/```yaml\n([^]*?)```/g)].map(([, yaml]) => [driver, yaml!]),
);

test.each(examples)('the providers.yaml on the page of %s is valid', async (_, yaml) => {
  const home = tempHome();
  home.configure(yaml);
  expect(await home.run('config', 'check')).toMatchObject({ code: 0, stderr: '' });
});

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

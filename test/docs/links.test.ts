import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { repository } from '../setup/source-files';

const pages = ['.', 'docs', 'plugins'].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules')),
);

/** What is no code: a link in an example leads nowhere. */
const prose = (path: string) =>
  readFileSync(join(repository, path), 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]]/g, ''));

/** The relative links of a page and its images. */
function linksOf(path: string): string[] {
  const targets = [...prose(path).matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1]!);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that a forge makes of the headings of a page. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(path).matchAll(/^#{1,6} (.*)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    for (let n = 0, name = anchor; ; name = `${anchor}-${(n += 1)}`) {
      if (anchors.has(name)) continue;
      anchors.add(name);
      break;
    }
  }
  return anchors;
}

/** Why a link does not resolve; undefined where it does. */
function fault(page: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? page : relative(repository, resolve(repository, dirname(page), target));
  if (!existsSync(join(repository, file))) return `${page}: ${link}: there is no ${file}`;
  if (anchor === undefined || statSync(join(repository, file)).isDirectory()) return undefined;
  return anchorsOf(file).has(anchor) ? undefined : `${page}: ${link}: ${file} has no such heading`;
}

test('every relative link, and its anchor, leads somewhere', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => [page, link] as const));
  expect(links.length).toBeGreaterThan(100);
  expect(links.flatMap(([page, link]) => fault(page, link) ?? [])).toEqual([]);
});

test('the index leads to every page of docs', () => {
  const listed = new Set(linksOf('docs/README.md').map((link) => join('docs', link)));
  const isPage = (path: string) => /^docs\/(drivers\/|decisions\/)?[^/]+\.md$/.test(path) && path !== 'docs/README.md';
  expect(pages.filter((path) => isPage(path) && !listed.has(path))).toEqual([]);
});

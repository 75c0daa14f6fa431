import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { deadLinks, linksOf } from '../setup/page-links';
import { repository } from '../setup/repository';

const pages = ['.', 'docs', 'plugins'].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules')),
);

test('every relative link, and its anchor, leads somewhere', () => {
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(100);
  expect(pages.flatMap(deadLinks)).toEqual([]);
});

test('the index leads to every page of docs, the page for contributors to every decision', () => {
  const inIndex = linksOf(join(repository, 'docs/README.md')).map((link) => join('docs', link));
  const listed = new Set([...inIndex, ...linksOf(join(repository, 'CONTRIBUTING.md'))]);
  const isPage = (path: string) => /^docs\/(drivers\/|decisions\/)?[^/]+\.md$/.test(path) && path !== 'docs/README.md';
  expect(pages.map((page) => relative(repository, page)).filter((path) => isPage(path) && !listed.has(path))).toEqual(
    [],
  );
});

test('every file that the page for contributors names is there', () => {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const named = [...text.matchAll(/`((?:bin|core|docs|plugins|test)\/[^`*<]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});

test('no page that is published links to one that is not', () => {
  const isKept = (page: string) => /^(CONTRIBUTING\.md|docs\/decisions\/.*)$/.test(relative(repository, page));
  const dead = pages
    .filter((page) => !isKept(page) && page !== join(repository, 'README.md'))
    .flatMap((page) => linksOf(page).map((link) => join(dirname(page), link)))
    .filter(isKept);
  expect(dead).toEqual([]);
});

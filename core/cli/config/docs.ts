import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { didYouMean } from '../../config/did-you-mean';
import { UsageError } from '../../errors';
import { packageRoot } from '../../package';
import { bundledPlugins } from '../../plugins/discover';
import { driverNames } from '../../plugins/manifest';
import { PluginRegistry } from '../../plugins/registry';
import { formatTable, printAnswer } from '../terminal/print';

const FOLDERS = ['docs', 'docs/drivers'].map((folder) => join(packageRoot, folder));

/** `docs`: prints a page of the documentation that is installed with the program, or lists the pages. */
export function docs(name: string | undefined): void {
  if (name === undefined) {
    const rows = listPages().map(({ page, title }) => [page, title]);
    printAnswer(formatTable(['Page', 'Title'], rows));
    return;
  }
  const pages = findPages();
  const page = basename(name, '.md');
  const manifest = new PluginRegistry(bundledPlugins()).find(page)?.manifest;
  const file = [page, ...(manifest ? driverNames(manifest) : [])].flatMap((each) => pages.get(each) ?? [])[0];
  if (file === undefined) {
    const guess = didYouMean(name, pages.keys());
    const meant = guess === undefined ? [...pages.keys()].filter((each) => each.startsWith(page)) : [guess];
    const isFew = meant.length > 0 && meant.length < 4;
    throw new UsageError(
      `there is no page "${name}"`,
      isFew ? `use: ${meant.join(' or ')}` : 'for a list: drivebay docs',
    );
  }
  printAnswer(readFileSync(file, 'utf8').trimEnd());
}

export function listPages(): { page: string; title: string }[] {
  return [...findPages()].map(([page, file]) => ({
    page,
    title: /^# (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '',
  }));
}

/** The file of each page. */
function findPages(): Map<string, string> {
  return new Map(FOLDERS.flatMap(pagesIn));
}

function pagesIn(folder: string): [page: string, file: string][] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return names.map((file) => [basename(file, '.md'), join(folder, file)]);
}

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What is no code: a link in an example leads nowhere. Comments are not shown. */
const prose = (page: string) =>
  readFileSync(page, 'utf8')
    .replace(/<!--[^]*?-->/g, '')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]]/g, ''));

/** The relative links of a page and its images. */
export function linksOf(page: string): string[] {
  const targets = [...prose(page).matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1]!);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that a forge makes of the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} (.*)$/gm)) {
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

/** Why links of a page lead nowhere, each with the page and the link. */
export function deadLinks(page: string): string[] {
  return linksOf(page).flatMap((link) => {
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? page : resolve(dirname(page), target);
    if (!existsSync(file)) return [`${page}: ${link}: there is no ${file}`];
    if (anchor === undefined || statSync(file).isDirectory()) return [];
    return anchorsOf(file).has(anchor) ? [] : [`${page}: ${link}: ${file} has no such heading`];
  });
}

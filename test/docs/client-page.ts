import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(__dirname, '../../docs/clients.md'), 'utf8');

/** One row of the page's table. */
export interface ClientRow {
  name: string;
  /** The anchor of its section. */
  anchor: string;
  version: string;
  tried: string;
}

export function clientRows(): ClientRow[] {
  return [...page.matchAll(/^\| \[(.+)\]\(#(.+)\) \| (.+) \| (.+) \|$/gm)].map((match) => {
    const [name = '', anchor = '', version = '', tried = ''] = match.slice(1);
    return { name, anchor, version, tried };
  });
}

export function clientSections(): string[] {
  return [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]!);
}

/** The one block of a language in a section of the page, with the gateway's URL in place of the usual one. */
export function clientBlock(section: string, language: string, gatewayUrl: string): string {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
  const blocks = [...text.matchAll(new RegExp('^```' + language + '\n([^]*?)^```$', 'gm'))];
  if (blocks.length !== 1) throw new Error(`${section} has ${blocks.length} blocks of ${language}`);
  return blocks[0]![1]!.replaceAll('http://127.0.0.1:8080', gatewayUrl);
}

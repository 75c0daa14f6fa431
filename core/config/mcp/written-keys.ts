import { isCredentialField, looksLikeKey } from '../../contract/secrets';
import { keysIn, queryKeys } from '../addresses';
import { hideKey } from './describe-server';
import { fillVariables } from './fill-variables';
import type { ServerValues } from './mcp-schema';

/** The places of an entry that hold a key itself, in place of a `${NAME}` that stands for it. */
export function writtenKeys({
  command = '',
  args = [],
  env = {},
  headers = {},
  url = '',
}: Partial<ServerValues>): string[] {
  const named = (what: string, texts: Record<string, string>) =>
    Object.entries(texts).flatMap(([name, text]) => (isKey(name, text) ? [`${what} ${name}`] : []));
  return [
    ...(hideKey(command) === command ? [] : ['command']),
    ...args.flatMap((arg, index) => (hideKey(arg) === arg ? [] : [`argument ${index + 1}`])),
    ...named('variable', env),
    ...named('header', headers),
    ...(hasKey(literalOf(url)) ? ['url'] : []),
  ];
}

/** The host may have been a variable, so the query is read on its own, too. */
function hasKey(url: string): boolean {
  return keysIn(url).length > 0 || queryKeys(`http://host?${/\?(.*)/s.exec(url)?.[1] ?? ''}`).length > 0;
}

function isKey(name: string, text: string): boolean {
  const literal = literalOf(text)
    .replace(/^(Bearer|Basic|Token)( |$)/i, '')
    .trim();
  return literal !== '' && (isCredentialField(name) || looksLikeKey(literal) || keysIn(literal).length > 0);
}

/** A text without its variables. Their defaults are as literal as the rest. */
function literalOf(text: string): string {
  return fillVariables(text, () => undefined, []);
}

import { looksLikeKey } from '../../contract/secrets';
import { showAddress } from '../addresses';
import type { ServerEntry } from './mcp-file';
import type { ServerValues } from './mcp-schema';

/** How a server is reached, without anything that may be a key: values of its environment, headers, and queries. */
export function targetOf({ command, args = [], url = '' }: ServerValues): string {
  if (command !== undefined) return [command, ...args].map(hideKey).join(' ');
  return showAddress(url);
}

export function kindOf({ command, type }: ServerValues): 'stdio' | 'http' | 'sse' {
  if (command !== undefined) return 'stdio';
  return type === 'sse' ? 'sse' : 'http';
}

/** All that a server of the project will do when it is trusted, for the eyes of the user alone. */
export function describeGrant({ name, values }: ServerEntry): string {
  const { command, args = [], env = {}, headers = {}, sampling, sampling_route: route } = values;
  const names = Object.keys({ ...env, ...headers });
  const given = names.length === 0 ? '' : ` with ${names.join(', ')}`;
  const what =
    command === undefined ? `be asked: ${targetOf(values)}` : `run: ${[command, ...args].map(quoted).join(' ')}`;
  const asks = sampling ? `, and ask ${quoted(route!)} for ${describeBudget(values)}` : '';
  return `tool server "${name}" may ${what}${given}${asks}`;
}

function describeBudget({ sampling_budget_usd: { day, month } = {} }: ServerValues): string {
  const of = (usd: number | undefined, period: string) => (usd === undefined ? [] : [`up to ${usd} USD a ${period}`]);
  return [...of(day, 'day'), ...of(month, 'month')].join(' and ');
}

const quoted = (word: string) => (/^[\w@%+=:,./${}~-]+$/.test(word) ? word : JSON.stringify(word));

/** A word of a command, without what looks like a key in it. */
export function hideKey(word: string): string {
  const [, flag = '', value = ''] = /^(--?[\w-]+=)?(.*)$/s.exec(word) ?? [];
  // Keys have no folders in them, and long paths look like keys.
  return looksLikeKey(value) && !/^[.~/@]|\$\{/.test(value) ? `${flag}...` : word;
}

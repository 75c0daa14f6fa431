import { type Cell, formatTable } from '../terminal/print';
import type { Examined, Sighting } from './sighting';

/** A table of what was found, and one of what was not, with the way to get it. */
export function formatFound(examined: readonly Examined[], missing: readonly Sighting[]): string {
  const found = examined.filter(({ state }) => state !== 'absent');
  const others = [...examined.filter(({ state }) => state === 'absent').map(({ sighting }) => sighting), ...missing];
  const lines: string[] = [];
  if (found.length > 0) lines.push(formatTable(['Found', 'Kind', 'Where', 'State'], found.map(foundRow)), '');
  if (others.length > 0)
    lines.push(
      formatTable(
        ['Not found', 'Kind', 'How to get it'],
        others.map(({ provider, sort, get = '' }) => [provider.name, sort, get]),
      ),
      '',
    );
  return lines.join('\n');
}

function foundRow(examined: Examined): (string | Cell)[] {
  const { provider, sort, where = '' } = examined.sighting;
  const colour = examined.state === 'answers' ? 'green' : 'yellow';
  return [provider.name, sort, where, { text: stateOf(examined), colour }];
}

function stateOf({ sighting: { provider, sort }, state, detail, fix }: Examined): string {
  if (state !== 'answers') return `${detail}${fix === undefined ? '' : `; ${fix}`}`;
  if (sort === 'program') return detail;
  return typeof provider.default_model === 'string' ? `answers, model ${provider.default_model}` : 'answers';
}

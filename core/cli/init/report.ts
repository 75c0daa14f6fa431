import type { Sighting } from './sighting';
import { paint } from '../terminal/print';
import { formatTable } from '../terminal/table';
import type { Examined } from './examine';

/** What was found, and what was not with the way to get it. */
export function formatReport(examined: readonly Examined[], missing: readonly Sighting[]): string {
  const found = examined.filter(({ state }) => state !== 'absent');
  const others = [...examined.filter(({ state }) => state === 'absent').map(({ sighting }) => sighting), ...missing];
  return [
    ...(found.length > 0 ? [formatTable(['Found', 'Kind', 'Where', 'State'], found.map(foundRow)), ''] : []),
    ...(others.length > 0 ? [formatTable(['Not found', 'Kind', 'How to get it'], others.map(missingRow)), ''] : []),
  ].join('\n');
}

function foundRow({ sighting, state, detail, fix }: Examined) {
  const { provider, sort, where = '' } = sighting;
  const model = typeof provider.default_model === 'string' ? `, model ${provider.default_model}` : '';
  const text =
    state === 'answers'
      ? sort === 'program'
        ? detail
        : `answers${model}`
      : `${detail}${fix === undefined ? '' : `; ${fix}`}`;
  const colour = state === 'answers' ? 'green' : 'yellow';
  return [provider.name, sort, where, { text, paint: (padded: string) => paint(colour, padded) }];
}

function missingRow({ provider, sort, get = '' }: Sighting) {
  return [provider.name, sort, get];
}

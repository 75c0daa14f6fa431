import type { Problem } from '../errors';
import type { ConfigFile } from './config-file';
import type { Located, LocatedMap } from './located';
import type { Entry } from './merge';

/**
 * The entries of both files, without the prices that the project gives to what a budget of the user's own file counts: a price of 0
 * would lift the budget. A provider of the project alone has the prices of the project.
 */
export function keepOwnPrices(
  base: Pick<ConfigFile, 'file' | 'entries' | 'clients' | 'priceTable'>,
  project: { entries: readonly Entry[]; hasTable: boolean },
): { own: Entry[]; entries: Entry[]; warnings: Problem[] } {
  const ofClients = base.clients?.kind === 'list' && base.clients.items.some(hasBudget);
  const counted = new Set(base.entries.filter(({ fields }) => ofClients || hasBudget(fields)).map(({ name }) => name));
  const warnings: Problem[] = [];
  const entries = project.entries.map((entry) => {
    if (!counted.has(entry.name)) return entry;
    const fields = withoutPrices(entry.fields, (key, place) => {
      const message = `${entry.path}.${key}: ignored in a project file, because a budget of your own file counts what provider "${entry.name}" costs`;
      warnings.push({ message, place, hint: `put the price into ${base.file}` });
    });
    return { ...entry, fields };
  });
  const keepsTable = ({ name, fields }: Entry) =>
    project.hasTable && counted.has(name) && !fields.entries.has('price_table');
  const own = base.entries.map((entry) => (keepsTable(entry) ? withTable(entry, base.priceTable) : entry));
  return { own, entries, warnings };
}

function hasBudget(entry: Located): boolean {
  return entry.kind === 'map' && entry.entries.has('budget_usd');
}

function withoutPrices(fields: LocatedMap, note: (key: string, place: Located['place']) => void): LocatedMap {
  const entries = new Map(fields.entries);
  for (const key of ['cost_per_token', 'price_table']) {
    const value = entries.get(key);
    if (value) note(key, value.place);
    entries.delete(key);
  }
  const models = entries.get('models');
  if (models?.kind !== 'map') return { ...fields, entries };
  const priceless = new Map(models.entries);
  for (const [model, facts] of models.entries) {
    const price = facts.kind === 'map' ? facts.entries.get('usd_per_mtok') : undefined;
    if (facts.kind !== 'map' || !price) continue;
    note(`models.${model}.usd_per_mtok`, price.place);
    priceless.set(model, { ...facts, entries: new Map([...facts.entries].filter(([, value]) => value !== price)) });
  }
  return { ...fields, entries: entries.set('models', { ...models, entries: priceless }) };
}

/** Uses the table at the top of the user's own file, and not the one of the project. An empty text means no table. */
function withTable(entry: Entry, table: ConfigFile['priceTable']): Entry {
  const place = table?.place ?? entry.fields.place;
  const value: Located = { kind: 'scalar', value: table?.file ?? '', place };
  return { ...entry, fields: { ...entry.fields, entries: new Map(entry.fields.entries).set('price_table', value) } };
}

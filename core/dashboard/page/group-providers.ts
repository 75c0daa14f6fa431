import { addTotals } from '../../record/usage';
import type { ProviderRow } from '../protocol';

/**
 * The providers of all projects, each entry of a configuration file once: every project has the global ones. A provider
 * that is offline in some projects only, or for another reason there, has a row for each reason.
 */
export function groupProviders(rows: readonly ProviderRow[]): ProviderRow[] {
  const groups = new Map<string, ProviderRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.name, row.files, row.status === 'offline' ? row.reason : null]);
    const known = groups.get(key);
    groups.set(key, known ? join(known, row) : row);
  }
  return [...groups.values()];
}

function join(one: ProviderRow, other: ProviderRow): ProviderRow {
  const [newer, older] = checkedAt(other) > checkedAt(one) ? [other, one] : [one, other];
  return {
    ...newer,
    // A project may not have checked it yet.
    status: newer.status === 'unchecked' ? older.status : newer.status,
    pays: newer.pays ?? older.pays,
    turns: [...one.turns, ...other.turns].sort((a, b) => a.time - b.time),
    sinceStart: addTotals(one.sinceStart, other.sinceStart),
    today: addTotals(one.today, other.today),
    kept: [...one.kept, ...other.kept],
    ...(one.route && { answers: addAnswers(one.answers, other.answers) }),
  };
}

function addAnswers(one: ProviderRow['answers'] = {}, other: ProviderRow['answers'] = {}) {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

function checkedAt({ latency }: ProviderRow): number {
  return latency.at(-1)?.time ?? 0;
}

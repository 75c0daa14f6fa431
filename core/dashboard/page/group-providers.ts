import { addTotals } from '../../record/usage';
import type { ProviderRow } from '../protocol';

/** A row for an entry of a configuration file. The projects that have the entry may have it offline for different reasons. */
export interface ProviderGroup extends ProviderRow {
  /** Each reason once; absent where the row is of one project. */
  reasons?: Pick<ProviderRow, 'reason' | 'hint'>[];
}

/**
 * The providers of all projects, each entry of a configuration file once: every project has the global ones. A provider
 * that is offline in some projects only has a second row for these.
 */
export function groupProviders(rows: readonly ProviderRow[]): ProviderGroup[] {
  const groups = new Map<string, ProviderGroup>();
  for (const row of rows) {
    const key = JSON.stringify([row.name, row.files, row.status === 'offline']);
    const known = groups.get(key);
    groups.set(key, known ? join(known, row) : row);
  }
  return [...groups.values()];
}

function join(one: ProviderGroup, other: ProviderRow): ProviderGroup {
  const [newer, older] = checkedAt(other) > checkedAt(one) ? [other, one] : [one, other];
  const reasons = one.reasons ?? [one];
  return {
    ...newer,
    // A check in another project must not change which one is asked.
    project: one.project,
    reasons: reasons.some(({ reason }) => reason === other.reason) ? reasons : [...reasons, other],
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

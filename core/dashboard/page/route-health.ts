import type { ProviderRow } from '../protocol';

const BEST = ['healthy', 'unchecked', 'offline'] as const;

/** The health of a provider, or of the best target of a route: no event tells that of routes. */
export function routeHealth(row: ProviderRow, rows: readonly ProviderRow[]): ProviderRow['status'] {
  if (!row.route) return row.status;
  const targets = row.route.targets.flatMap(({ name }) =>
    rows.filter((each) => each.name === name && each.project === row.project),
  );
  const all = targets.map((target) => routeHealth(target, rows));
  return BEST.find((status) => all.includes(status)) ?? row.status;
}

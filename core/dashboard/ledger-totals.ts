import { startOf } from '../limits/periods';
import { addTurn, NO_TURNS } from '../record/usage';
import type { DashboardHost } from './dashboard-host';
import type { ProviderRow, TurnsAnswer } from './protocol';

type BothTotals = Pick<ProviderRow, 'sinceStart' | 'today'>;
type Answers = NonNullable<ProviderRow['answers']>;

/** The ledger's totals up to now, by project root and provider, and the answers of routes. */
export async function readTotals(host: DashboardHost, dayStart: number) {
  const { startedAt } = host.daemon;
  const sums = new Map<string, BothTotals>();
  const answers = new Map<string, Answers>();
  for await (const turn of host.turns({ from: Math.min(startedAt, dayStart), to: Date.now() + 1 })) {
    const key = keyOf(turn.project, turn.provider);
    const sum = sums.get(key) ?? { sinceStart: NO_TURNS, today: NO_TURNS };
    if (turn.time >= startedAt) sum.sinceStart = addTurn(sum.sinceStart, turn);
    if (turn.time >= dayStart) sum.today = addTurn(sum.today, turn);
    sums.set(key, sum);
    if (turn.route === undefined || !turn.ok || turn.time < startedAt) continue;
    const route = keyOf(turn.project, turn.route);
    const before = answers.get(route) ?? {};
    answers.set(route, { ...before, [turn.provider]: (before[turn.provider] ?? 0) + 1 });
  }
  return (root: string | null, name: string): BothTotals & { answers?: Answers } => ({
    ...(sums.get(keyOf(root, name)) ?? { sinceStart: NO_TURNS, today: NO_TURNS }),
    answers: answers.get(keyOf(root, name)),
  });
}

/** How many turns of a day are listed. */
const LISTED = 5_000;

export async function turnsOfToday(host: DashboardHost): Promise<TurnsAnswer> {
  const now = Date.now();
  const turns = [];
  let count = 0;
  for await (const turn of host.turns({ from: startOf('day', now), to: now + 1 })) {
    turns.push(turn);
    count += 1;
    // Not one by one, because a shift moves all the others.
    if (turns.length === 2 * LISTED) turns.splice(0, LISTED);
  }
  return { turns: turns.slice(-LISTED).reverse(), count };
}

function keyOf(root: string | null, provider: string): string {
  return `${root ?? ''}\0${provider}`;
}

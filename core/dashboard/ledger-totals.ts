import { ledgerEntries } from '../record/usage-summary';
import type { DashboardHost } from './dashboard-host';
import type { Totals } from './protocol';
import { addTurn, NOTHING } from './totals';

interface BothTotals {
  sinceStart: Totals;
  today: Totals;
}

export type TotalsOf = (root: string | null, provider: string) => BothTotals;

/** What is in the ledger up to now, by provider. */
export async function readTotals(host: DashboardHost, dayStart: number): Promise<TotalsOf> {
  const { daemon, state } = host;
  const sums = new Map<string, BothTotals>();
  const range = { from: Math.min(daemon.startedAt, dayStart), to: Date.now() + 1 };
  await host.flushLedger();
  for await (const { project, provider, time, ok, usage, costUsd } of ledgerEntries(state, range)) {
    const key = keyOf(project, provider);
    const turn = { provider, time, ms: 0, ok, usage, costUsd };
    const sum = sums.get(key) ?? { sinceStart: NOTHING, today: NOTHING };
    if (time >= daemon.startedAt) sum.sinceStart = addTurn(sum.sinceStart, turn);
    if (time >= dayStart) sum.today = addTurn(sum.today, turn);
    sums.set(key, sum);
  }
  return (root, provider) => sums.get(keyOf(root, provider)) ?? { sinceStart: NOTHING, today: NOTHING };
}

function keyOf(root: string | null, provider: string): string {
  return `${root ?? ''}\0${provider}`;
}

/** The day of the clock on the wall. */
export function dayOf(time: number): { start: number; end: number } {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return { start: new Date(year, month, day).getTime(), end: new Date(year, month, day + 1).getTime() };
}

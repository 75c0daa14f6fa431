import type { LimitBook, LimitedClient } from './limit-book';
import type { Limits } from './limits';
import type { LimitState } from './quota';
import type { Refused } from './refusals';

/** What is used of every limit, and who was turned away since the daemon started. */
export interface LimitReport {
  /** All of them: one without a limit may have been turned away, too. */
  clients: ClientReport[];
  /** Those that have limits. */
  providers: ProviderLimits[];
  /** Requests with a key that no client has, or with none; null: there were none. */
  strangers: Refused | null;
}

export interface ClientReport extends LimitState {
  name: string;
  /** Requests that run and wait, of `max_concurrency`; null where there is no such limit. */
  queue: { running: number; waiting: number; limit: number } | null;
  turnedAway: Refused[];
}

interface ProviderLimits extends LimitState {
  name: string;
}

/** A client or a provider that several projects have is listed once. */
export async function reportLimits(
  book: LimitBook,
  clients: readonly LimitedClient[],
  providers: readonly { name: string; limits?: Limits }[],
): Promise<LimitReport> {
  const accounts = clients.map((client) => ({ name: client.name, account: book.client(client) }));
  const limited = providers.flatMap(({ name, limits }) => (limits ? [{ name, limits }] : []));
  // The usage before this daemon is being counted.
  const counters = [...accounts.map(({ account }) => account?.limits), ...limited.map(({ limits }) => limits)];
  for (const limits of counters) await limits?.restoring;
  const now = Date.now();
  return {
    clients: once(
      accounts.map(({ name, account }) => ({
        ...{ name, ...(account?.limits?.state(now) ?? { budgets: [] }) },
        ...{ queue: account?.slots?.load ?? null, turnedAway: book.refusals.of(name) },
      })),
    ),
    providers: once(limited.map(({ name, limits }) => ({ name, ...limits.state(now) }))),
    strangers: book.refusals.ofStrangers() ?? null,
  };
}

function once<Row extends object>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

import type { ClientReport } from '../../../limits/limit-report';
import { formatCost, formatCount, NOTHING } from '../format';
import { useNow } from '../use-now';

export type Bounded = Pick<ClientReport, 'name' | 'requests' | 'tokens' | 'budgets' | 'queue'>;

interface Bar {
  label: string;
  used: number;
  limit: number;
  format: (value: number) => string;
}

/** One bar for each limit. A minute, a day or a month that has ended meanwhile is empty. */
export function Bars({ name, ...limits }: Bounded) {
  const bars = barsOf(limits, useNow());
  if (bars.length === 0) return <span class="muted">{NOTHING}</span>;
  return (
    <ul class="limit-bars">
      {bars.map(({ label, used, limit, format }) => (
        <li key={label}>
          <span class="muted">{label}</span>
          <div
            role="meter"
            aria-label={`${name}: ${label}`}
            aria-valuemin={0}
            aria-valuemax={limit}
            aria-valuenow={Math.min(used, limit)}
            aria-valuetext={`${format(used)} of ${format(limit)}`}
          >
            <div class={used >= limit ? 'full' : ''} style={{ width: `${shareOf(used, limit)}%` }} />
          </div>
          <span>
            {format(used)} of {format(limit)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function barsOf({ requests, tokens, budgets, queue }: Omit<Bounded, 'name'>, now: number): Bar[] {
  const usedAt = (used: number, resetAt: number) => (resetAt > now ? used : 0);
  const minute = (label: string, { limit, used, resetAt }: NonNullable<Bounded['requests']>) => {
    return { label, limit, used: usedAt(used, resetAt), format: formatCount };
  };
  return [
    ...(requests ? [minute('requests a minute', requests)] : []),
    ...(tokens ? [minute('tokens a minute', tokens)] : []),
    ...(queue ? [{ label: 'at once', limit: queue.limit, used: queue.running, format: formatCount }] : []),
    ...budgets.map(({ period, limitUsd, spentUsd, resetAt }) => {
      return { label: `this ${period}`, limit: limitUsd, used: usedAt(spentUsd, resetAt), format: dollars };
    }),
  ];
}

/** A budget of 0 is spent. */
function shareOf(used: number, limit: number): number {
  return used >= limit ? 100 : (used / limit) * 100;
}

function dollars(usd: number): string {
  return usd === 0 ? '$0' : formatCost(usd);
}

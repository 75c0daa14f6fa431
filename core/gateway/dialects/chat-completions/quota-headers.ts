import type { Quota, Quotas } from '../../../limits/quota';

/** Joining the names for each answer would cost more than what stands in them. */
const NAMES = (['requests', 'tokens'] as const satisfies (keyof Quotas)[]).map((kind) => {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${kind}`);
  return { kind, limit: limit!, remaining: remaining!, reset: reset! };
});

export const quotaHeaders: readonly string[] = NAMES.flatMap(({ limit, remaining, reset }) => [
  limit,
  remaining,
  reset,
]);

export function spellQuotas(quotas: Quotas): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { kind, limit, remaining, reset } of NAMES) {
    const quota = quotas[kind];
    if (!quota) continue;
    headers[limit] = String(quota.limit);
    headers[remaining] = String(quota.remaining);
    headers[reset] = spellReset(quota);
  }
  return headers;
}

/** `250ms`, `12s`, `1m0s`. */
function spellReset({ resetMs }: Quota): string {
  if (resetMs < 1000) return `${Math.ceil(resetMs)}ms`;
  const seconds = Math.ceil(resetMs / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

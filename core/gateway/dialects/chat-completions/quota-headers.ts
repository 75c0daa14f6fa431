import type { Quota, Quotas } from '../../../limits/quota';

const KINDS = ['requests', 'tokens'] as const satisfies (keyof Quotas)[];

export const quotaHeaders: readonly string[] = KINDS.flatMap((kind) => namesOf(kind));

export function spellQuotas(quotas: Quotas): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const kind of KINDS) {
    const quota = quotas[kind];
    if (!quota) continue;
    const [limit, remaining, reset] = namesOf(kind);
    headers[limit] = String(quota.limit);
    headers[remaining] = String(quota.remaining);
    headers[reset] = spellReset(quota);
  }
  return headers;
}

function namesOf(kind: keyof Quotas): [string, string, string] {
  return [`x-ratelimit-limit-${kind}`, `x-ratelimit-remaining-${kind}`, `x-ratelimit-reset-${kind}`];
}

/** `250ms`, `12s`, `1m0s`. */
function spellReset({ resetMs }: Quota): string {
  if (resetMs < 1000) return `${Math.ceil(resetMs)}ms`;
  const seconds = Math.ceil(resetMs / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

import type { Quotas } from '../../../limits/quota';
import { LIMIT_PREFIX } from './vendor-words';

const KINDS = ['requests', 'tokens'] as const satisfies (keyof Quotas)[];

/** Made once: a name that is put together for each request is searched among all names each time. */
const NAMES = KINDS.map((kind) => ({
  kind,
  limit: `${LIMIT_PREFIX}-${kind}-limit`,
  remaining: `${LIMIT_PREFIX}-${kind}-remaining`,
  reset: `${LIMIT_PREFIX}-${kind}-reset`,
}));

export const quotaHeaders: readonly string[] = NAMES.flatMap(({ limit, remaining, reset }) => [
  limit,
  remaining,
  reset,
]);

export function spellQuotas(quotas: Quotas, headers: Record<string, string>): void {
  for (const { kind, limit, remaining, reset } of NAMES) {
    const quota = quotas[kind];
    if (!quota) continue;
    headers[limit] = `${quota.limit}`;
    headers[remaining] = `${quota.remaining}`;
    headers[reset] = new Date(Date.now() + quota.resetMs).toISOString();
  }
}

import type { Quotas } from '../../../limits/quota';
import { LIMIT_PREFIX } from './vendor-words';

const KINDS = ['requests', 'tokens'] as const satisfies (keyof Quotas)[];
const PARTS = ['limit', 'remaining', 'reset'] as const;

export const quotaHeaders: readonly string[] = KINDS.flatMap((kind) => PARTS.map((part) => nameOf(kind, part)));

export function spellQuotas(quotas: Quotas, headers: Record<string, string>): void {
  for (const kind of KINDS) {
    const quota = quotas[kind];
    if (!quota) continue;
    headers[nameOf(kind, 'limit')] = String(quota.limit);
    headers[nameOf(kind, 'remaining')] = String(quota.remaining);
    headers[nameOf(kind, 'reset')] = new Date(Date.now() + quota.resetMs).toISOString();
  }
}

function nameOf(kind: keyof Quotas, part: (typeof PARTS)[number]): string {
  return `${LIMIT_PREFIX}-${kind}-${part}`;
}

import type { Quota, Quotas } from '../../../limits/quota';

export const quotaHeaders = ['requests', 'tokens'].flatMap((kind) =>
  ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${kind}`),
);

/** The names stand here as they are: the engine keeps an object fast only where names are no variables. */
export function spellQuotas({ requests, tokens }: Quotas, headers: Record<string, string>): void {
  if (requests) {
    headers['x-ratelimit-limit-requests'] = `${requests.limit}`;
    headers['x-ratelimit-remaining-requests'] = `${requests.remaining}`;
    headers['x-ratelimit-reset-requests'] = spellReset(requests);
  }
  if (tokens) {
    headers['x-ratelimit-limit-tokens'] = `${tokens.limit}`;
    headers['x-ratelimit-remaining-tokens'] = `${tokens.remaining}`;
    headers['x-ratelimit-reset-tokens'] = spellReset(tokens);
  }
}

/** `250ms`, `12s`, `1m0s`. */
function spellReset({ resetMs }: Quota): string {
  if (resetMs < 1000) return `${Math.ceil(resetMs)}ms`;
  const seconds = Math.ceil(resetMs / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

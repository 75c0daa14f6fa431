import type { Manifest } from '../plugins/manifest';

/**
 * Who sells the models of a provider, as price tables put it before the name of a model (`seller/model`): the provider by its
 * own name, its driver by its names, and the words of the address of its server.
 */
export function sellersOf(name: string, { driver, aliases }: Manifest, address: unknown): string[] {
  return [...new Set([name, ...aliases, driver, ...wordsOf(address)])];
}

/** Of `api.vendor.com` both `api` and `vendor`; the last word says what kind of owner it has. */
function wordsOf(address: unknown): string[] {
  if (typeof address !== 'string' || !URL.canParse(address)) return [];
  const { hostname } = new URL(address);
  return /^[\d.]+$|:/.test(hostname) ? [] : hostname.split('.').slice(0, -1);
}

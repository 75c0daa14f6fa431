import type { ProviderSettings } from './settings';

/** How long a call may take, in ms. */
export function timeoutMs(
  { timeoutSec, driverKind }: ProviderSettings,
  isStream: boolean,
  patienceS = Infinity,
): number {
  // Node's fetch gives a silent answer up after 300 s and asks again: an answer in one piece has to be there before.
  const usual = driverKind === 'cli' ? 300 : isStream ? 600 : 290;
  const seconds = timeoutSec || Math.min(usual, patienceS);
  return seconds * 1000;
}

/** What to do about an answer that came too late. */
export function timeoutHint({ name, driverKind }: ProviderSettings, isSilent: boolean, given?: string): string {
  const wait = given ?? `to wait longer, raise timeout_sec of provider "${name}" in providers.yaml`;
  if (driverKind !== 'cli' || !isSilent) return wait;
  return `it said nothing at all: it may wait for a login or a permission, run it once in a terminal; ${wait}`;
}

import type { LlmDevice } from '../../devices/device';

/**
 * Which purse pays: drivers of programs say whose login it is (`billing`); where they do not, and for API drivers, it is the owner of
 * the key in a variable, or nobody. Null where nobody knows.
 */
export function payer(
  { keyVariable, driverKind }: Pick<LlmDevice, 'keyVariable' | 'driverKind'>,
  metadata: Record<string, string> | null,
): string | null {
  return metadata?.billing ?? keyVariable ?? (driverKind === 'http' ? 'no key' : null);
}

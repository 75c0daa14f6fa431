/** The version of the vendor's API that knows sampling parameters, on the models that have them. */
export const SAMPLING_VERSION = '2023-06-01';

/**
 * How the key goes out. The SDK's own way, a bearer token, is only a few months old: proxies and compatible servers read
 * the older header, and so does the vendor's older version. Servers of others get both.
 */
export function keyHeaders(key: string, isVendor: boolean, version?: string): Record<string, string | null> {
  const isOld = version !== undefined;
  return {
    Authorization: isVendor && isOld ? null : `Bearer ${key}`,
    ...((isOld || !isVendor) && { 'X-Api-Key': key }),
    ...(isOld && { 'anthropic-version': version }),
  };
}

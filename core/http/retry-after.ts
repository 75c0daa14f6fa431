import { plausibleWait } from '../contract/driver-error';

/** When the server wants to be asked again, in whole seconds from now. */
export function readRetryAfter(headers: Record<string, string>, now = Date.now()): number | undefined {
  const ms = toNumber(headers['retry-after-ms']);
  if (ms !== undefined) return plausibleWait(ms / 1000);
  const value = headers['retry-after'];
  const seconds = toNumber(value);
  if (seconds !== undefined || value === undefined) return plausibleWait(seconds);
  // A date of HTTP begins with a weekday; the parser would find a date in nearly anything.
  return /^\s*[A-Za-z]{3}/.test(value) ? plausibleWait((Date.parse(value) - now) / 1000) : undefined;
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

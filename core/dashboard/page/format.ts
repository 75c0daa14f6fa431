const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const NOTHING = '–';

export function formatCount(count: number): string {
  return whole.format(count);
}

export function formatTokens(count: number): string {
  return count < 100_000 ? whole.format(count) : compact.format(count);
}

/** Shows fractions of a cent, because single steps cost so little. Zero means that no cost was booked. */
export function formatCost(usd: number, nominal = 0): string {
  const parts = [...amount(usd), ...amount(nominal).map((text) => `${text} nominal`)];
  return parts.length === 0 ? NOTHING : parts.join(' + ');
}

function amount(usd: number): string[] {
  if (usd === 0) return [];
  if (usd < 0.00005) return ['<$0.0001'];
  return [`$${usd < 100 ? usd.toFixed(4) : whole.format(Math.round(usd))}`];
}

export function formatShare(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

/** A duration: `84 ms`, `3.4 s`, `2 min 05 s`, `3 h 10 min`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** The duration so far of live work, in whole seconds, so that it does not flicker. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * SECOND);
}

export function formatAgo(time: number, now: number): string {
  const ms = now - time;
  if (ms < 5 * SECOND) return 'now';
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  const days = Math.floor(ms / DAY);
  return `${days} day${days === 1 ? '' : 's'} ago`;
}

export function formatExact(time: number): string {
  return exact.format(time);
}

export function formatClock(time: number): string {
  return clock.format(time);
}

export function formatLength(characters: number): string {
  return `${(characters < 10_000 ? whole : compact).format(characters)} characters`;
}

export function formatMemory(bytes: number): string {
  return `${whole.format(Math.round(bytes / 2 ** 20))} MB`;
}

/** `provider:model`, as in a request to the gateway. */
export function modelName(provider: string, model?: string | null): string {
  return model === undefined || model === null ? provider : `${provider}:${model}`;
}

const two = (value: number) => String(value).padStart(2, '0');

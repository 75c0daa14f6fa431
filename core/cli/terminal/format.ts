/** `850ms`, `4.2s`, `3m 10s`, `2h 5m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  // A clock that was set back makes an end that is before its beginning.
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1_000);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m ${seconds % 60}s`;
}

/** Empty for no cost. What a subscription pays is nominal: the user pays nothing more for it. */
export function formatCost(usd: number, nominal = 0): string {
  return [...amount(usd), ...amount(nominal).map((text) => `${text} nominal`)].join(' + ');
}

/** `$12.50`, `$0.015`, `$0.000001`: three digits at least, because small models cost parts of a cent. */
function amount(usd: number): string[] {
  if (usd === 0) return [];
  const decimals = Math.min(20, Math.max(2, 2 - Math.floor(Math.log10(usd))));
  return [`$${usd.toFixed(decimals).replace(/(\.\d\d\d*?)0+$/, '$1')}`];
}

/** `12,345`. `toLocaleString` would load tables of all languages, which takes longer than the rest of `ps`. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 provider`, `2 providers`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Shortens a text to one line of at most `length` characters. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const UNITS: Record<string, number> = {
  ms: 0.001,
  s: 1,
  second: 1,
  m: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
  day: 86_400,
};

/** `11:34 PM`, or `Nov 26th, 2026 2:40 PM` when it is not today: local time, cut to the minute. */
const CLOCK =
  /try again at (?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([AP]M)/i;
/** `2 days 17 hours 14 minutes`, `7s`, `1.5s`. */
const SPAN = /try again in ((?:\d+(?:\.\d+)? ?(?:ms|s|m|h|seconds?|minutes?|hours?|days?)\b,? ?(?:and )?)+)/i;

/** When a limit ends, in seconds from now, as the CLI says it. */
export function secondsUntilReset(message: string, now: Date): number | undefined {
  const span = SPAN.exec(message)?.[1];
  if (span !== undefined) return Math.max(1, Math.ceil(secondsOf(span)));
  const clock = CLOCK.exec(message);
  if (!clock) return undefined;
  const [, month, day, year, hour, minute, half] = clock;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0);
  const at = new Date(now);
  if (month !== undefined) at.setFullYear(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
  // The end of the named minute: a client that comes at its beginning may be too early.
  at.setHours(hours, Number(minute) + 1, 0, 0);
  if (month === undefined && at < now) at.setDate(at.getDate() + 1);
  const seconds = Math.ceil((at.getTime() - now.getTime()) / 1000);
  return Number.isFinite(seconds) ? Math.max(1, seconds) : undefined;
}

function secondsOf(span: string): number {
  let seconds = 0;
  for (const [, count, unit = ''] of span.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    const name = unit.toLowerCase();
    seconds += Number(count) * (UNITS[name] ?? UNITS[name.replace(/s$/, '')] ?? 0);
  }
  return seconds;
}

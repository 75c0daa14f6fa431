const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const RESET =
  /resets?(?:\s+at)?\s+(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:,|\s+at)?\s+)?(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)(?:\s*\(([\w/+-]+)\))?/i;
const EPOCH = /limit reached\|(\d{10,13})/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** When the text says that a limit is reset, in ms since the epoch: "|1767225600", "resets 1am (Europe/Berlin)" ... */
export function findResetTime(text: string, now: number): number | undefined {
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return epoch.length > 10 ? Number(epoch) : Number(epoch) * 1000;
  const match = RESET.exec(text);
  if (!match) return undefined;
  const [, month, day, hour, minute = '0', half, zone] = match;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  const today = inZone(now, zone);
  if (!today) return undefined;
  const monthIndex = month === undefined ? today.month : MONTHS.indexOf(month.toLowerCase());
  if (monthIndex < 0) return undefined;
  const wall = Date.UTC(today.year, monthIndex, day === undefined ? today.day : Number(day), hours, Number(minute));
  const at = wall - today.offset;
  if (at > now) return at;
  // Without a date the next such hour is meant; a date that has passed is next year's, or an old message.
  return month === undefined ? at + DAY_MS : undefined;
}

/** The date in a time zone, the machine's own by default, and how far its clock is ahead of UTC. */
function inZone(
  now: number,
  timeZone: string | undefined,
): { year: number; month: number; day: number; offset: number } | undefined {
  let parts: Intl.DateTimeFormatPart[];
  try {
    const format = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    parts = new Intl.DateTimeFormat('en-US', { ...format, hourCycle: 'h23', timeZone }).formatToParts(now);
  } catch {
    return undefined;
  }
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const [year, month, day] = [part('year'), part('month') - 1, part('day')];
  const wall = Date.UTC(year, month, day, part('hour'), part('minute'));
  return { year, month, day, offset: wall - Math.floor(now / 60_000) * 60_000 };
}

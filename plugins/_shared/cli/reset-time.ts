import { waitSpan } from '../wait-span';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** `limit reached|1767225600`, in seconds or in milliseconds. */
const EPOCH = /limit reached\|(\d{10})(\d{3})?\b/;
/** `resets 1am (Europe/Berlin)`, `resets Jan 20, 1pm`, `try again at Nov 26th, 2026 2:40 PM`. */
const CLOCK =
  /(resets?|try again)(?:\s+at)?\s+(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(\d{4}),?)?(?:\s+at)?\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)(?:\s*\(([\w/+-]+)\))?/i;
/** `will reset when your monthly cycle ends on 10/2/2026`. */
const DATE = /\breset\b.{0,40}\bon (\d{1,2})\/(\d{1,2})\/(\d{4})\b/i;

/** When a limit ends, in ms since the epoch, as the programs say it in their errors. */
export function resetTime(text: string, now: number): number | undefined {
  const [, seconds, milliseconds = '000'] = EPOCH.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds + milliseconds);
  const span = waitSpan(text);
  if (span !== undefined) return now + span;
  const clock = CLOCK.exec(text);
  return clock ? clockTime(clock, now) : endOfDate(text, now);
}

function clockTime([, verb, month, day, year, hour, minute = '0', half, zone]: RegExpExecArray, now: number) {
  const today = wallClock(now, zone);
  const monthIndex = month === undefined ? today?.getUTCMonth() : MONTHS.indexOf(month.toLowerCase());
  if (!today || monthIndex === undefined || monthIndex < 0) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  const wall = Date.UTC(Number(year ?? today.getUTCFullYear()), monthIndex, Number(day ?? today.getUTCDate()), hours);
  // "try again at" cuts the seconds off: at the beginning of that minute it may be too early.
  const at = toEpoch(wall + (Number(minute) + (/^try/i.test(verb!) ? 1 : 0)) * MINUTE_MS, now, zone);
  if (at > now) return at;
  if (month === undefined) return at + DAY_MS;
  // A date without a year that has passed is next year's, or the message is old.
  return year === undefined ? undefined : now;
}

/** The day has neither an hour nor a zone: the limit has ended when the day is over. */
function endOfDate(text: string, now: number): number | undefined {
  const [, month, day, year] = DATE.exec(text) ?? [];
  const end = Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
  return end > now ? end : undefined;
}

/** What a clock in the zone shows (in the UTC fields), the machine's own zone by default. */
function wallClock(time: number, timeZone: string | undefined): Date | undefined {
  try {
    return new Date(`${new Date(time).toLocaleString('sv-SE', { timeZone, hourCycle: 'h23' }).replace(' ', 'T')}Z`);
  } catch {
    return undefined;
  }
}

/** The distance to UTC is that of the day that is meant: between now and then the clocks may change. */
function toEpoch(wall: number, now: number, zone: string | undefined): number {
  const offsetAt = (time: number): number => wallClock(time, zone)!.getTime() - Math.floor(time / 1000) * 1000;
  return wall - offsetAt(wall - offsetAt(now));
}

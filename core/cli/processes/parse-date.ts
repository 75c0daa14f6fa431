import { InvalidArgumentError } from 'commander';

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** In ms since the epoch. An empty value counts as not given: commander passes it on as it is. */
export type GivenTime = number | '';

/** The beginning of a range. */
export function parseFrom(text: string): GivenTime {
  return text === '' ? '' : timeOf(text, 0);
}

/** The end of a range, which is not part of it. A date alone includes its day. */
export function parseTo(text: string): GivenTime {
  return text === '' ? '' : timeOf(text, 1);
}

/** In the time zone of the machine. For a date alone: the midnight that begins it, or one some days later. */
function timeOf(text: string, days: number): number {
  const [year = 0, month = 0, day = 0, hour, minute = 0, second = 0] = (DATE.exec(text) ?? []).slice(1).map(toNumber);
  // A date that the calendar does not have becomes another one.
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    year > 0 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isReal || (hour ?? 0) > 23 || minute > 59 || second > 59) {
    throw new InvalidArgumentError('Expected a date (2026-11-01), or a date and a time ("2026-11-01 14:30").');
  }
  // By its date, because a day may have 23 or 25 hours.
  const time =
    hour === undefined ? new Date(year, month - 1, day + days) : new Date(year, month - 1, day, hour, minute, second);
  return time.getTime();
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

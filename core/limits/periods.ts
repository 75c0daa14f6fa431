/** A stretch of time. */
interface Period {
  /** Names it: of two times in one period the name is the same. */
  readonly name: string;
  /** In ms since the epoch. */
  readonly end: number;
}

export type PeriodKind = 'day' | 'month';

export const MINUTE_MS = 60_000;

/** Days and months are those of the machine's time zone. */
export function periodAt(kind: PeriodKind, now: number): Period {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const name = `${year}-${twoDigits(month + 1)}`;
  // The next midnight by its date, because a day may have 23 or 25 hours.
  return kind === 'month'
    ? { name, end: new Date(year, month + 1, 1).getTime() }
    : { name: `${name}-${twoDigits(day)}`, end: new Date(year, month, day + 1).getTime() };
}

/** When the current day or month began. */
export function startOf(kind: PeriodKind, now: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), kind === 'day' ? date.getDate() : 1).getTime();
}

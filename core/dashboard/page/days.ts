import { dayOf } from '../../contract/wall-clock';

export interface Day {
  /** The key of the day in the ledger, in local time: `2026-11-21`. */
  key: string;
  from: number;
}

export function daysBack(count: number, now: number): Day[] {
  const today = new Date(now);
  return Array.from({ length: count }, (_, index) => {
    // Uses the calendar, because a day may have 23 or 25 hours.
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index));
    return { key: dayOf(day.getTime()), from: day.getTime() };
  });
}

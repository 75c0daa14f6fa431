export interface Day {
  /** As in the ledger: `2026-11-21`, on the clock of this machine. */
  key: string;
  from: number;
}

/** So many days up to now, the oldest first. */
export function daysBack(count: number, now: number): Day[] {
  const today = new Date(now);
  return Array.from({ length: count }, (_, index) => {
    // By the calendar, because a day may have 23 or 25 hours.
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index));
    return { key: dayKey(day), from: day.getTime() };
  });
}

function dayKey(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

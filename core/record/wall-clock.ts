// By hand: `toLocaleString` loads tables of all languages, which takes longer than the rest of a short command.

/** `2026-11-21`, the day here. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
}

/** `2026-11-21 20:05:09`, of the clock on the wall. */
export function formatTime(time: number): string {
  const date = new Date(time);
  return `${dayOf(time)} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

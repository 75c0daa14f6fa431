// Speed: `toLocaleString` loads tables of all languages, which takes longer than the rest of a short command.

/** The local day: `2026-11-21`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
}

/** The local time: `2026-11-21 20:05:09`. */
export function formatTime(time: number): string {
  return `${dayOf(time)} ${clockOf(time)}`;
}

/** The local time of a day: `20:05:09`. */
export function clockOf(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Node fires a timer of more milliseconds at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

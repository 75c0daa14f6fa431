/** `Your usage limits will reset when your monthly cycle ends on 10/2/2026.` */
const CYCLE_END = /\breset\b.{0,40}\bon (\d{1,2})\/(\d{1,2})\/(\d{4})\b/i;

/** When a limit ends, in seconds from now: at the end of the day that the CLI names, of which it gives no hour and no zone. */
export function secondsUntilReset(message: string, now: Date): number | undefined {
  const match = CYCLE_END.exec(message);
  if (!match) return undefined;
  const [, month, day, year] = match;
  const end = Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
  const seconds = Math.ceil((end - now.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

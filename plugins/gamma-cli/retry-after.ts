const SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };
/** `Suggested retry after 60s`, `Please retry in 12.3s`, `Your quota will reset after 2h14m3s`. */
const SPAN = /(?:retry|try again|resets?) (?:after|in) ((?:\d+(?:\.\d+)? ?(?:ms|s|m|h|d)[a-z]*,? ?(?:and )?)+)/i;

/** When to try again, in seconds from now, where the message says it. */
export function retryAfter(message: string): number | undefined {
  const span = SPAN.exec(message)?.[1];
  if (span === undefined) return undefined;
  let seconds = 0;
  for (const [, count, unit = ''] of span.matchAll(/(\d+(?:\.\d+)?) ?(ms|[smhd])/gi)) {
    seconds += Number(count) * SECONDS[unit.toLowerCase()]!;
  }
  return Math.max(1, Math.ceil(seconds));
}

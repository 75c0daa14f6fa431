const MINUTE_MS = 60_000;
const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** `try again in 2 days 17 hours`, `retry after 60s`, `quota will reset after 2h14m3s`. */
const SPAN =
  /(?:retry|try again|resets?) (?:after|in) ((?:\d+(?:\.\d+)? ?(?:ms|s|m|h|d|seconds?|minutes?|hours?|days?)(?![a-z]),? ?(?:and )?)+)/i;

/** How long to wait, in ms, as the words of an error say it. */
export function waitSpan(text: string): number | undefined {
  const span = SPAN.exec(text)?.[1];
  if (span === undefined) return undefined;
  return [...span.matchAll(/(\d+(?:\.\d+)?) ?(ms|[smhd])/gi)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * UNIT_MS[unit.toLowerCase()]!,
    0,
  );
}

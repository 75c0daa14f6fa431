import type { Usage } from 'drivebay/plugin';

/** The counts of an answer; those that the vendor does not give are undefined. */
type Counts = Partial<Omit<Usage, 'type'>>;

/** Undefined when neither the prompt nor the answer was counted. */
export function toUsage({ inputTokens, outputTokens, ...counts }: Counts): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const usage: Usage = { type: 'usage', inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
  for (const [name, value] of Object.entries(counts)) if (value !== undefined) Object.assign(usage, { [name]: value });
  return usage;
}

/** The sum of the counts that are there; undefined without any. */
export function sumOf(...counts: (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

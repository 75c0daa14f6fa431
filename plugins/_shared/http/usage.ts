import type { Usage } from 'drivebay/plugin';

/** The counts of an answer; those that the vendor does not give are undefined. */
type Counts = Partial<Omit<Usage, 'type'>>;

/** Undefined when neither the prompt nor the answer was counted. */
export function toUsage(counts: Counts): Usage | undefined {
  const { inputTokens, outputTokens } = counts;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const usage: Usage = { type: 'usage', inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
  for (const name in counts) addCount(usage, name as keyof Counts, counts);
  return usage;
}

function addCount<Name extends keyof Counts>(usage: Counts, name: Name, { [name]: value }: Counts): void {
  if (value !== undefined) usage[name] = value;
}

/** The sum of the counts that are there; undefined without any. */
export function sumOf(...counts: (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

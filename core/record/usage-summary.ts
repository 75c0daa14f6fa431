import { z } from 'zod';
import { dayOf } from './wall-clock';
import { ledgerFile, monthFiles } from './ledger-files';
import { readLines } from './read-lines';

export type UsageGrouping = 'provider' | 'day' | 'project';

/** What the turns of a provider, a day, or a project used together. */
export interface UsageSummary {
  /** The provider, the day here (`2026-11-21`), or the project root; null for turns outside of a project. */
  key: string | null;
  turns: number;
  /** How many of them failed. */
  failed: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteInputTokens: number;
  costUsd: number;
}

export interface UsageRange {
  /** Milliseconds since the epoch: from, included, and to, excluded. */
  from: number;
  to: number;
}

const count = z.number().default(0);

const entrySchema = z.object({
  time: z.number(),
  provider: z.string(),
  project: z.string().nullable().default(null),
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count,
      cacheWriteInputTokens: count,
    })
    .default({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 }),
  costUsd: count,
  ok: z.boolean(),
});

/** A line of the ledger, as far as it is added up. */
export type UsageEntry = z.infer<typeof entrySchema>;

/** Adds the ledger of a state folder up, ordered by key. Needs no daemon. */
export async function summarizeUsage(state: string, by: UsageGrouping, range: UsageRange): Promise<UsageSummary[]> {
  const sums = new Map<string | null, UsageSummary>();
  for await (const entry of ledgerEntries(state, range)) {
    const key = usageKey(entry, by);
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = emptySum(key)));
    add(sum, entry);
  }
  return [...sums.values()].sort((a, b) => (a.key ?? '').localeCompare(b.key ?? ''));
}

/** The same, with a row of its own for each provider of each key. */
export async function summarizeUsageByProvider(
  state: string,
  by: UsageGrouping,
  range: UsageRange,
): Promise<(UsageSummary & { provider: string })[]> {
  const sums = new Map<string, UsageSummary & { provider: string }>();
  for await (const entry of ledgerEntries(state, range)) {
    const { provider } = entry;
    const key = usageKey(entry, by);
    const both = JSON.stringify([key, provider]);
    let sum = sums.get(both);
    if (!sum) sums.set(both, (sum = { ...emptySum(key), provider }));
    add(sum, entry);
  }
  return [...sums.values()].sort(
    (a, b) => (a.key ?? '').localeCompare(b.key ?? '') || a.provider.localeCompare(b.provider),
  );
}

/** The turns of a time, roughly in their order. */
export async function* ledgerEntries(state: string, { from, to }: UsageRange): AsyncGenerator<UsageEntry, void> {
  for (const file of await monthsBetween(state, from, to)) {
    for await (const line of readLines(file, (text) => !isOutside(text, from, to))) {
      const { data: entry } = entrySchema.safeParse(line);
      if (entry && entry.time >= from && entry.time < to) yield entry;
    }
  }
}

/** By the beginning of a line as it is written; of any other line that is not known before it is parsed. */
function isOutside(line: string, from: number, to: number): boolean {
  const time = Number(/^{"time":(\d+),/.exec(line)?.[1] ?? from);
  return time < from || time >= to;
}

function usageKey(entry: UsageEntry, by: UsageGrouping): string | null {
  return by === 'day' ? dayOf(entry.time) : entry[by];
}

async function monthsBetween(state: string, from: number, to: number): Promise<string[]> {
  const [first, last] = [from, to].map((time) => ledgerFile(state, time));
  return (await monthFiles(state)).filter((file) => file >= first! && file <= last!);
}

function emptySum(key: string | null): UsageSummary {
  const none = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 };
  return { key, turns: 0, failed: 0, ...none, costUsd: 0 };
}

function add(sum: UsageSummary, { ok, usage, costUsd }: UsageEntry): void {
  sum.turns += 1;
  if (!ok) sum.failed += 1;
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  sum.cachedInputTokens += usage.cachedInputTokens;
  sum.cacheWriteInputTokens += usage.cacheWriteInputTokens;
  sum.costUsd += costUsd;
}

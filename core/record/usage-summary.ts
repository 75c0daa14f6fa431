import { z } from 'zod';
import { dayOf } from './wall-clock';
import { ledgerFile, monthFiles } from './ledger-files';
import { readLines } from './read-lines';
import { addTurn, NO_TURNS, type UsageGrouping, type UsageTotals } from './usage';

export interface UsageSummary extends UsageTotals {
  /** The local day (`2026-11-21`), the project root, or a name; null for turns that have none. */
  key: string | null;
  /** Present when the sums are split: then each provider of a key has a row of its own. */
  provider?: string;
}

export interface UsageRange {
  /** Milliseconds since the epoch. `from` is included, `to` is not. */
  from: number;
  to: number;
}

const count = z.number().default(0);
const tokens = z.number().optional();

const entrySchema = z.object({
  time: z.number(),
  provider: z.string(),
  route: z.string().optional(),
  /** The client of the gateway that asked; absent for turns of the owner. */
  client: z.string().optional(),
  /** The pid of an agent process, or what else asked. */
  source: z.union([z.number(), z.string()]).default('gateway'),
  model: z.string().nullable().default(null),
  project: z.string().nullable().default(null),
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count,
      cacheWriteInputTokens: count,
      longCacheWriteInputTokens: tokens,
      reasoningTokens: tokens,
    })
    .optional(),
  costUsd: count,
  nominalUsd: z.number().optional(),
  priced: z.string().optional(),
  guess: z.object({ tokens: count, costUsd: count }).optional(),
  asked: z.string().optional(),
  ok: z.boolean(),
});

/** A line of the ledger. */
export type UsageEntry = z.infer<typeof entrySchema>;

export interface UsageQuery extends UsageRange {
  by: UsageGrouping;
  split?: boolean;
}

/** Adds up the ledger of a state folder, ordered by key and provider. Works without a daemon. */
export async function summarizeUsage(state: string, { by, split, from, to }: UsageQuery): Promise<UsageSummary[]> {
  const sums = new Map<string, UsageSummary>();
  for await (const entry of ledgerEntries(state, { from, to })) {
    const group = {
      key: by === 'day' ? dayOf(entry.time) : (entry[by] ?? null),
      provider: split ? entry.provider : undefined,
    };
    const id = JSON.stringify(group);
    sums.set(id, { ...addTurn(sums.get(id) ?? NO_TURNS, entry), ...group });
  }
  const compare = (a: string | null = null, b: string | null = null) => (a ?? '').localeCompare(b ?? '');
  return [...sums.values()].sort((a, b) => compare(a.key, b.key) || compare(a.provider, b.provider));
}

/** The turns of a range of time, roughly in their order. */
export async function* ledgerEntries(state: string, { from, to }: UsageRange): AsyncGenerator<UsageEntry, void> {
  for (const file of await monthsBetween(state, from, to)) {
    for await (const line of readLines(file, (text) => !isOutside(text, from, to))) {
      const { data: entry } = entrySchema.safeParse(line);
      if (entry && entry.time >= from && entry.time < to) yield entry;
    }
  }
}

/** Judges by the beginning of a line. Other beginnings than the usual one pass, and are judged after parsing. */
function isOutside(line: string, from: number, to: number): boolean {
  const time = Number(/^{"time":(\d+),/.exec(line)?.[1] ?? from);
  return time < from || time >= to;
}

const LAST_MONTH = Date.UTC(9999, 11);

async function monthsBetween(state: string, from: number, to: number): Promise<string[]> {
  // Years of more than four digits do not sort as text.
  const [first, last] = [from, to].map((time) => ledgerFile(state, Math.max(0, Math.min(time, LAST_MONTH))));
  return (await monthFiles(state)).filter((file) => file >= first! && file <= last!);
}

import { z } from 'zod';
import { ledgerFile, monthFiles } from './ledger-files';
import { readOverlay, type TurnPrice } from './price-overlay';
import { readLines } from './read-lines';

export interface UsageRange {
  /** Milliseconds since the epoch. `from` is included, `to` is not. */
  from: number;
  to: number;
}

/** The last moment of JavaScript dates. Turns may have been booked by a clock that was ahead. */
export const LATEST = 8.64e15;

const count = z.number().default(0);
const tokens = z.number().optional();

const entrySchema = z.object({
  time: z.number(),
  provider: z.string(),
  /** Absent in lines of earlier versions. */
  account: z.string().optional(),
  route: z.string().optional(),
  /** The client of the gateway that asked; absent for turns of the owner. */
  client: z.string().optional(),
  /** The tool server that asked. */
  server: z.string().optional(),
  /** The daemon that has booked it, where it shared its limits. */
  machine: z.string().optional(),
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
      audioInputTokens: tokens,
      audioOutputTokens: tokens,
      imageOutputTokens: tokens,
      requests: tokens,
    })
    .optional(),
  costUsd: count,
  nominalUsd: z.number().optional(),
  priced: z.string().optional(),
  guess: z.object({ tokens: count, costUsd: count }).optional(),
  asked: z.string().optional(),
  ok: z.boolean(),
  again: z.boolean().optional(),
});

/** A line of the ledger. */
export type UsageEntry = z.infer<typeof entrySchema>;

/** A turn as it was booked, with its place in the ledger. */
export interface LedgerLine {
  file: string;
  /** Counts from 1. */
  number: number;
  entry: UsageEntry;
  /** The price that `usage --reprice` has written; absent where the booked price counts. */
  price?: TurnPrice;
}

/** The turns of a range of time, roughly in their order, with the prices that `usage --reprice` has written. */
export async function* ledgerEntries(state: string, range: UsageRange): AsyncGenerator<UsageEntry, void> {
  for await (const { entry, price } of ledgerLines(state, range)) yield price ? { ...entry, ...price } : entry;
}

/** The same, as they were booked. */
export async function* ledgerLines(state: string, { from, to }: UsageRange): AsyncGenerator<LedgerLine, void> {
  for (const file of await monthsBetween(state, { from, to })) {
    const prices = await readOverlay(file);
    let number = 0;
    const isWanted = (text: string) => {
      number += 1;
      return text !== '' && !isOutside(text, from, to);
    };
    for await (const line of readLines(file, isWanted)) {
      const { data: entry } = entrySchema.safeParse(line);
      if (!entry || entry.time < from || entry.time >= to) continue;
      const priced = prices.get(number);
      // Another time means another file of the same name.
      yield { file, number, entry, price: priced?.time === entry.time ? priced.price : undefined };
    }
  }
}

/** Judges by the beginning of a line. Other beginnings than the usual one pass, and are judged after parsing. */
function isOutside(line: string, from: number, to: number): boolean {
  const time = Number(/^{"time":(\d+),/.exec(line)?.[1] ?? from);
  return time < from || time >= to;
}

const LAST_MONTH = Date.UTC(9999, 11);

async function monthsBetween(state: string, { from, to }: UsageRange): Promise<string[]> {
  // Years of more than four digits do not sort as text.
  const [first, last] = [from, to].map((time) => ledgerFile(state, Math.max(0, Math.min(time, LAST_MONTH))));
  return (await monthFiles(state)).filter((file) => file >= first! && file <= last!);
}

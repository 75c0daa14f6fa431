import { rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { writeWholeLater } from '../write-whole';
import { overlayFile } from './ledger-files';
import { readLines, unlessGone } from './read-lines';

/** What a turn costs. Each field takes the place of that of the ledger, absent ones too. */
export interface TurnPrice {
  costUsd: number;
  nominalUsd: number | undefined;
  priced: string | undefined;
}

/** The price of one line of the ledger. */
export interface OverlaidPrice {
  /** That of the line, which tells whether it is the same one. */
  time: number;
  price: TurnPrice;
}

/** By the number of the line, from 1 on. */
export type PriceOverlay = ReadonlyMap<number, OverlaidPrice>;

const NONE: PriceOverlay = new Map();
const VERSION = 1;

const headSchema = z.object({ prices: z.literal(VERSION) });
const endSchema = z.object({ end: z.number() });
const lineSchema = z.tuple([z.number(), z.number(), z.number(), z.number().nullable(), z.string().nullable()]);

/**
 * The prices beside a file of the ledger. None where nothing was written; undefined where the file is not whole, cannot be
 * read, or is no such file: then no line of it counts.
 */
export async function readOverlay(monthFile: string): Promise<PriceOverlay | undefined> {
  const file = overlayFile(monthFile);
  try {
    // A file without a line has no head, and is no whole one.
    return (await unlessGone(stat(file), undefined)) ? await readPrices(file) : NONE;
  } catch {
    return undefined;
  }
}

async function readPrices(file: string): Promise<PriceOverlay | undefined> {
  const prices = new Map<number, OverlaidPrice>();
  let isBegun = false;
  let end: number | undefined;
  for await (const value of readLines(file, (text) => text !== '')) {
    if (end !== undefined) return undefined;
    if (!isBegun) {
      if (!headSchema.safeParse(value).success) return undefined;
      isBegun = true;
      continue;
    }
    const { data: line } = lineSchema.safeParse(value);
    if (!line) {
      end = endSchema.safeParse(value).data?.end;
      if (end !== prices.size) return undefined;
      continue;
    }
    const [number, time, costUsd, nominalUsd, priced] = line;
    prices.set(number, { time, price: { costUsd, nominalUsd: nominalUsd ?? undefined, priced: priced ?? undefined } });
  }
  return end === undefined ? undefined : prices;
}

/** Puts prices beside a file of the ledger, in place of those before: all of them, or none where it fails. */
export async function writeOverlay(monthFile: string, prices: PriceOverlay): Promise<void> {
  const file = overlayFile(monthFile);
  if (prices.size === 0) {
    await rm(file, { force: true });
    return;
  }
  const lines = [...prices].map(([number, { time, price }]) => {
    const { costUsd, nominalUsd = null, priced = null } = price;
    return [number, time, costUsd, nominalUsd, priced];
  });
  const text = [{ prices: VERSION }, ...lines, { end: lines.length }].map((line) => `${JSON.stringify(line)}\n`);
  await writeWholeLater(file, text.join(''));
}

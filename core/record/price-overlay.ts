import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { writeWholeLater } from '../write-whole';
import { overlayFile } from './ledger-files';
import { readLines } from './read-lines';

/** What a turn costs. Each field replaces the same field of the ledger, also where it is absent here. */
export interface TurnPrice {
  costUsd: number;
  nominalUsd: number | undefined;
  priced: string | undefined;
}

/** The price of one line of the ledger. */
export interface OverlaidPrice {
  /** The time of the line. With another time it is another line, and the price is not its own. */
  time: number;
  price: TurnPrice;
}

/** By the number of the line, from 1 on. */
export type PriceOverlay = Map<number, OverlaidPrice>;

const lineSchema = z.tuple([z.number(), z.number(), z.number(), z.number().nullable(), z.string().nullable()]);

/** The prices beside a file of the ledger; none where nothing was written. */
export async function readOverlay(monthFile: string): Promise<PriceOverlay> {
  const prices: PriceOverlay = new Map();
  for await (const value of readLines(overlayFile(monthFile))) {
    const { data: line } = lineSchema.safeParse(value);
    if (!line) continue;
    const [number, time, costUsd, nominalUsd, priced] = line;
    prices.set(number, { time, price: { costUsd, nominalUsd: nominalUsd ?? undefined, priced: priced ?? undefined } });
  }
  return prices;
}

/** Replaces the prices beside a file of the ledger: all of them, or none where it fails. */
export async function writeOverlay(monthFile: string, prices: PriceOverlay): Promise<void> {
  const file = overlayFile(monthFile);
  if (prices.size === 0) {
    await rm(file, { force: true });
    return;
  }
  const lines = [...prices].map(([number, { time, price }]) => {
    const { costUsd, nominalUsd = null, priced = null } = price;
    return `${JSON.stringify([number, time, costUsd, nominalUsd, priced])}\n`;
  });
  await writeWholeLater(file, lines.join(''));
}

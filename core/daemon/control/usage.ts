import { z } from 'zod';
import type { Ledger } from '../../record/ledger';
import { summarizeUsage, USAGE_GROUPINGS } from '../../record/usage-summary';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The range of JavaScript dates, in ms since the epoch. */
const time = z.coerce.number().min(-8.64e15).max(8.64e15);

export const usageQuerySchema = z.object({
  by: z.enum(USAGE_GROUPINGS).default('provider'),
  /** Gives each provider of a key a row of its own. */
  split: z.literal('provider').optional(),
  from: time.default(0),
  to: time.optional(),
});

/** The sums of the ledger, with every turn that has ended. */
export async function readUsage(ledger: Ledger, state: string, query: z.output<typeof usageQuerySchema>) {
  const { by, split, from, to = Date.now() + DAY_MS } = query;
  await ledger.flush();
  return { by, usage: await summarizeUsage(state, { by, split: split !== undefined, from, to }) };
}

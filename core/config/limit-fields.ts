import { z } from 'zod';
import { optionalCount } from './field-types';

const dollars = (period: string) =>
  z.number().positive().optional().describe(`US dollars in each ${period}, as the clock of the machine counts it`);

const BUDGET_FORM = 'expected day and/or month: { day: 5 }';

/** How much may be asked in a time. Providers and clients have the same fields. */
export const limitFields = {
  requests_per_minute: optionalCount.describe(
    'How many requests may begin in a minute, which begins with the first of them; the next one is refused (429)',
  ),
  tokens_per_minute: optionalCount.describe(
    'Input and output tokens in a minute, which begins with the first request: while fewer are counted the next request is let in, else it is refused (429)',
  ),
  budget_usd: z
    .strictObject({ day: dollars('day'), month: dollars('month') }, BUDGET_FORM)
    .refine(({ day, month }) => day !== undefined || month !== undefined, BUDGET_FORM)
    .optional()
    .describe(
      'US dollars that may be spent: { day: 5, month: 50 }; when they are, requests are refused (429) until the next',
    ),
};

export type LimitFields = z.infer<z.ZodObject<typeof limitFields>>;

/** Whether anything is limited. */
export function isLimited({ requests_per_minute, tokens_per_minute, budget_usd }: LimitFields): boolean {
  const { day, month } = budget_usd ?? {};
  return [requests_per_minute, tokens_per_minute, day, month].some((limit) => limit !== undefined);
}

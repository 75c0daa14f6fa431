import { z } from 'zod';

const dollars = (period: string) =>
  z.number().positive().optional().describe(`US dollars in each ${period}, as the clock of the machine counts it`);

const BUDGET_FORM = 'expected day and/or month: { day: 5 }';

/** How much may be asked in a time. Providers and clients have the same fields. */
export const limitFields = {
  requests_per_minute: z
    .int()
    .positive()
    .optional()
    .describe(
      'How many requests may begin in a minute, which begins with the first of them; the next one is refused (429)',
    ),
  tokens_per_minute: z
    .int()
    .positive()
    .optional()
    .describe(
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

export interface LimitFields {
  requests_per_minute?: number;
  tokens_per_minute?: number;
  budget_usd?: { day?: number; month?: number };
}

/** Whether anything is limited. */
export function isLimited({ requests_per_minute, tokens_per_minute, budget_usd }: LimitFields): boolean {
  return (
    requests_per_minute !== undefined ||
    tokens_per_minute !== undefined ||
    budget_usd?.day !== undefined ||
    budget_usd?.month !== undefined
  );
}

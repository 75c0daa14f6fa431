import { z } from 'zod';
import type { ServerReport } from '../../devices/report-servers';
import type { LimitReport } from '../../limits/limit-report';

// As in protocol.ts, these check only what a client needs.

const usedSchema = z.looseObject({ limit: z.number(), used: z.number(), resetAt: z.number() });

/** `GET /v1/limits`. */
export const limitReportSchema = z.looseObject({
  clients: z.array(
    z.looseObject({
      name: z.string(),
      requests: usedSchema.optional(),
      tokens: usedSchema.optional(),
      queue: z.looseObject({ running: z.number(), waiting: z.number(), limit: z.number() }).nullable(),
      turnedAway: z.array(z.looseObject({ reason: z.string(), count: z.number(), lastAt: z.number() })),
    }),
  ),
  strangers: z.looseObject({ count: z.number(), lastAt: z.number() }).nullable(),
}) as unknown as z.ZodType<LimitReport>;

/** `GET /v1/tool-servers`. */
export const serverReportsSchema = z.looseObject({
  servers: z.array(
    z.looseObject({
      name: z.string(),
      file: z.string().nullable(),
      activity: z
        .looseObject({
          running: z.number(),
          users: z.number(),
          tools: z.number().nullable(),
          fault: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
}) as unknown as z.ZodType<{ servers: ServerReport[] }>;

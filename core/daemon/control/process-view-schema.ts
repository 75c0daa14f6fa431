import { z } from 'zod';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessView } from '../../record/process-view';

// A daemon of a newer version may add fields, and types of events: what is needed of them is checked, the rest is passed on.

export const processViewSchema = z.looseObject({
  pid: z.number(),
  uuid: z.string(),
  state: z.enum(['created', 'running', 'done', 'failed', 'killed']),
  steps: z.array(z.looseObject({ step: z.number(), provider: z.string() })),
}) as unknown as z.ZodType<ProcessView>;

export const processEventSchema = z.looseObject({
  seq: z.number(),
  time: z.number(),
  type: z.string(),
}) as unknown as z.ZodType<ProcessEvent>;

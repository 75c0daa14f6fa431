import { z } from 'zod';
import type { ComposeEvent, ComposeView } from '../../agents/compose/compose-event';

// As with processes: what a client needs is checked, the rest is passed on.

/** The lines of the answer to an attached `POST /v1/compose`: what was started, then what happens. */
export type ComposeLine = { type: 'started'; name: string; file: string } | ComposeEvent;

export const composeLineSchema = z.union([
  z.looseObject({ type: z.literal('started'), name: z.string(), file: z.string() }),
  z.looseObject({ type: z.literal('agent'), agent: z.string(), state: z.string(), needs: z.array(z.string()) }),
  z.looseObject({ type: z.literal('notice'), message: z.string() }),
  z.looseObject({ type: z.literal('end'), state: z.string() }),
]) as unknown as z.ZodType<ComposeLine>;

export const composeViewSchema = z.looseObject({
  name: z.string(),
  file: z.string(),
  agents: z.array(z.looseObject({ agent: z.string(), state: z.string(), needs: z.array(z.string()) })),
}) as unknown as z.ZodType<ComposeView>;

import { z } from 'zod';
import type { ProcessView } from '../events/process-view';

const INTENT_LENGTH = 200;

const text = z.string();
const number = z.number();

const usageSchema = z.object({
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens: number.optional(),
  cacheWriteInputTokens: number.optional(),
  reasoningTokens: number.optional(),
});

const endSchema = z.object({
  state: z.enum(['done', 'failed', 'killed']),
  reason: text,
  message: text.optional(),
  hint: text.optional(),
  code: text.optional(),
});

export const processSummarySchema = z.object({
  pid: number,
  uuid: text,
  daemon: text,
  /** Its beginning. */
  intent: text,
  workingDirectory: text,
  project: text.optional(),
  name: text.optional(),
  compose: text.optional(),
  state: z.enum(['created', 'running', 'done', 'failed', 'killed']),
  createdAt: number,
  startedAt: number.optional(),
  endedAt: number.optional(),
  provider: text.optional(),
  driver: text.optional(),
  model: text.optional(),
  effort: text.optional(),
  /** How many there were. */
  steps: number,
  usage: usageSchema,
  costUsd: number,
  end: endSchema.optional(),
});

/** A process as `ps` shows it: one line of the index. */
export type ProcessSummary = z.infer<typeof processSummarySchema>;

export function summarize(view: ProcessView): ProcessSummary {
  const { pid, uuid, daemon, intent, workingDirectory, project, name, compose } = view;
  const { state, createdAt, startedAt, endedAt, provider, resolution, model, steps, usage, costUsd, end } = view;
  return {
    ...{ pid, uuid, daemon, intent: intent.slice(0, INTENT_LENGTH), workingDirectory, project, name, compose },
    ...{
      state,
      createdAt,
      startedAt,
      endedAt,
      provider,
      driver: resolution?.driver,
      model,
      effort: resolution?.effort,
    },
    ...{ steps: steps.length, usage, costUsd, end },
  };
}

import { z } from 'zod';
import { defined } from '../../fields';
import type { ProcessView } from '../../record/process-view';

/** What `run_agent` and `result` say of a process. */
export const RUN = {
  pid: z.number().describe('For the tool `result`, and for: drivebay trace PID'),
  uuid: z.string(),
  state: z.enum(['created', 'running', 'done', 'failed', 'killed']),
  provider: z.string().optional(),
  model: z.string().optional(),
  answer: z.string().optional().describe('The last words of the agent so far.'),
  truncated: z.boolean().optional(),
  steps: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
  error: z.string().optional(),
};

/** The same, without the answer. */
export function factsOf({ pid, uuid, state, provider, model, steps, usage, costUsd, end }: ProcessView) {
  const error = end && state !== 'done' ? [end.message ?? end.reason, end.hint].filter(Boolean).join('\n') : undefined;
  const { inputTokens, outputTokens } = usage;
  return defined({ pid, uuid, state, provider, model, steps: steps.length, inputTokens, outputTokens, costUsd, error });
}

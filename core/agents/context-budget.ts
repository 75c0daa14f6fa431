import type { LlmDevice } from '../devices/device';
import { ProcessStopped } from './process-stopped';
import type { StepAnswer } from './step';

/** How much of a context window a conversation may fill before its next step. */
const SHARE = 0.9;

/** Throws when a conversation has grown too long for another step, as far as window and tokens are known. */
export function checkBudget({ name, contextWindows }: LlmDevice, { model, usage }: StepAnswer): void {
  const window = model === undefined ? undefined : contextWindows.get(model);
  if (window === undefined || !usage) return;
  const budget = Math.floor(window * SHARE);
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens <= budget) return;
  throw new ProcessStopped(
    'context_budget',
    `the conversation has ${tokens} tokens, and the context budget of "${model}" is ${budget}`,
    `split the work, or correct models.${model}.context_window (${window}) of provider "${name}" in providers.yaml`,
  );
}

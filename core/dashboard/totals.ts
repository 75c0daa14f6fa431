import type { StepUsage } from '../record/process-event';
import type { Totals } from './protocol';

/** A turn that has ended: a request of the gateway, or a step of an agent. */
export interface Turn {
  provider: string;
  time: number;
  ms: number;
  ok: boolean;
  usage?: StepUsage | undefined;
  costUsd: number;
}

export const NOTHING: Totals = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  costUsd: 0,
};

export function addTurn(totals: Totals, { ok, usage, costUsd }: Turn): Totals {
  return {
    requests: totals.requests + 1,
    errors: totals.errors + (ok ? 0 : 1),
    inputTokens: totals.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: totals.outputTokens + (usage?.outputTokens ?? 0),
    cachedInputTokens: totals.cachedInputTokens + (usage?.cachedInputTokens ?? 0),
    costUsd: totals.costUsd + costUsd,
  };
}

import type { ProcessEvent, StepUsage } from '../record/process-event';
import type { ProcessSummary } from '../record/process-summary';

const INTENT_LENGTH = 200;

/** The row of a process before anything happened. */
export function openSummary(event: Extract<ProcessEvent, { type: 'created' }>): ProcessSummary {
  const { seq: _, time, type: __, intent, ...origin } = event;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const begun = { state: 'created', createdAt: time, steps: 0, usage, costUsd: 0 } as const;
  return { ...origin, intent: intent.slice(0, INTENT_LENGTH), ...begun };
}

/** The row after the next event: what `summarize` makes of the view that the event was taken into. */
export function applyToSummary(row: ProcessSummary, event: ProcessEvent): ProcessSummary {
  switch (event.type) {
    case 'resolve': {
      const { provider, driver, model, effort } = event;
      return { ...row, provider, driver, effort, model: model ?? row.model };
    }
    case 'fallback':
      return { ...row, driver: event.driver };
    case 'running':
      return { ...row, state: 'running', startedAt: event.time };
    case 'step': {
      const steps = row.steps + 1;
      if (event.call !== undefined) return { ...row, steps };
      return { ...row, steps, provider: event.provider, model: event.model };
    }
    case 'step_end': {
      const { usage, costUsd = 0 } = event;
      return { ...row, costUsd: row.costUsd + costUsd, usage: usage ? addUsage(row.usage, usage) : row.usage };
    }
    case 'exit': {
      const { seq: _, type: __, time, ...end } = event;
      return { ...row, state: end.state, endedAt: time, end };
    }
    default:
      return row;
  }
}

function addUsage(sum: StepUsage, usage: StepUsage): StepUsage {
  const next = { ...sum };
  for (const [name, tokens] of Object.entries(usage) as [keyof StepUsage, number][]) {
    next[name] = (next[name] ?? 0) + tokens;
  }
  return next;
}

import type { ProcessEnd, StepUsage } from './process-event';
import type { ProcessState, ProcessView } from './process-view';

const INTENT_LENGTH = 200;

/** A process as `ps` shows it: one line of the index. */
export interface ProcessSummary {
  pid: number;
  uuid: string;
  daemon: string;
  /** Its beginning. */
  intent: string;
  workingDirectory: string;
  project?: string | undefined;
  name?: string | undefined;
  compose?: string | undefined;
  state: ProcessState;
  createdAt: number;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  /** The provider and model at work, or last at work. */
  provider?: string | undefined;
  driver?: string | undefined;
  model?: string | undefined;
  effort?: string | undefined;
  /** How many there were. */
  steps: number;
  usage: StepUsage;
  costUsd: number;
  end?: ProcessEnd | undefined;
}

export function summarize(view: ProcessView): ProcessSummary {
  const { pid, uuid, daemon, intent, workingDirectory, project, name, compose } = view;
  const { state, createdAt, startedAt, endedAt, provider, driver, resolution, model, steps, usage, costUsd, end } =
    view;
  return {
    // First, so that a reader knows a line's pid without parsing it.
    pid,
    ...{ uuid, daemon, intent: intent.slice(0, INTENT_LENGTH), workingDirectory, project, name, compose },
    ...{
      state,
      createdAt,
      startedAt,
      endedAt,
      provider,
      driver,
      model,
      effort: resolution?.effort,
    },
    ...{ steps: steps.length, usage: { ...usage }, costUsd, end },
  };
}

const TEXTS = ['uuid', 'daemon', 'intent', 'workingDirectory', 'state'];
const NUMBERS = ['pid', 'createdAt', 'steps', 'costUsd'];

/** Whether a line can be shown. By hand: a schema takes ten times as long, and `ps` reads thousands of lines. */
export function isSummary(value: unknown): value is ProcessSummary {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    TEXTS.every((name) => typeof fields[name] === 'string') &&
    NUMBERS.every((name) => typeof fields[name] === 'number') &&
    typeof fields.usage === 'object' &&
    fields.usage !== null
  );
}

import type {
  DriverKind,
  EndState,
  ProcessEnd,
  ProcessEvent,
  ProcessOrigin,
  Resolution,
  StepUsage,
} from './process-event';

export type ProcessState = 'created' | 'running' | EndState;

export interface StepView {
  step: number;
  provider: string;
  model?: string;
  /** The tool call that it serves; absent for a step of the process itself. */
  call?: string;
  startedAt: number;
  ms?: number;
  finish?: string;
  usage?: StepUsage;
  costUsd?: number;
  /** Cached share of the input that was not just written to the cache (see hitRateOf); absent where unknown. */
  hitRate?: number;
}

/** A process as `ps`, `trace` and the dashboard show it: the fold of its events. */
export interface ProcessView extends ProcessOrigin {
  state: ProcessState;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  resolution?: Resolution;
  /** The provider at work: another than the resolved one after a fallback. */
  provider?: string;
  model?: string;
  /** Of that provider; absent where an old record does not say. */
  driver?: string;
  driverKind?: DriverKind;
  steps: StepView[];
  usage: StepUsage;
  costUsd: number;
  metadata: Record<string, string>;
  end?: ProcessEnd;
}

/** The view before anything happened. */
export function openView(origin: ProcessOrigin, time: number): ProcessView {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { ...origin, state: 'created', createdAt: time, steps: [], usage, costUsd: 0, metadata: {} };
}

/** Takes the next event into the view. */
export function applyEvent(view: ProcessView, event: ProcessEvent): void {
  switch (event.type) {
    case 'resolve': {
      const { type: _, seq: __, time: ___, ...resolution } = event;
      view.resolution = resolution;
      view.provider = event.provider;
      view.driver = event.driver;
      view.driverKind = event.driverKind;
      if (event.model !== undefined) view.model = event.model;
      break;
    }
    case 'running':
      view.state = 'running';
      view.startedAt = event.time;
      break;
    case 'step': {
      const { step, provider, model, call, time } = event;
      view.steps.push({
        step,
        provider,
        ...(model !== undefined && { model }),
        ...(call !== undefined && { call }),
        startedAt: time,
      });
      if (call !== undefined) break;
      view.provider = provider;
      if (model === undefined) delete view.model;
      else view.model = model;
      break;
    }
    case 'fallback':
      delete view.driver;
      delete view.driverKind;
      if (event.driver !== undefined) view.driver = event.driver;
      if (event.driverKind !== undefined) view.driverKind = event.driverKind;
      break;
    case 'step_end':
      endStep(view, event);
      break;
    case 'metadata':
      view.metadata = { ...view.metadata, ...event.values };
      break;
    case 'exit':
      view.state = event.state;
      view.endedAt = event.time;
      view.end = endOf(event);
      break;
    default:
  }
}

function endStep(view: ProcessView, event: Extract<ProcessEvent, { type: 'step_end' }>): void {
  const step = view.steps.findLast(({ step: number }) => number === event.step);
  if (!step) return;
  step.ms = event.ms;
  step.finish = event.finish;
  if (event.costUsd !== undefined) {
    step.costUsd = event.costUsd;
    view.costUsd += event.costUsd;
  }
  if (!event.usage) return;
  step.usage = event.usage;
  const hitRate = hitRateOf(event.usage);
  if (hitRate !== undefined) step.hitRate = hitRate;
  for (const [name, tokens] of Object.entries(event.usage) as [keyof StepUsage, number][]) {
    view.usage[name] = (view.usage[name] ?? 0) + tokens;
  }
}

/** cached / (input - cache writes), where input includes both: what was just written could not have been read. */
export function hitRateOf({
  inputTokens,
  cachedInputTokens,
  cacheWriteInputTokens = 0,
}: StepUsage): number | undefined {
  const read = inputTokens - cacheWriteInputTokens;
  return cachedInputTokens === undefined || read <= 0 ? undefined : cachedInputTokens / read;
}

function endOf({ state, reason, message, hint, code }: ProcessEnd): ProcessEnd {
  return {
    state,
    reason,
    ...(message !== undefined && { message }),
    ...(hint !== undefined && { hint }),
    ...(code !== undefined && { code }),
  };
}

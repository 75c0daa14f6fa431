import {
  type DeviceKind,
  type EndState,
  type ProcessEnd,
  type ProcessEvent,
  type ProcessOrigin,
  type Resolution,
  type StepFinish,
} from './process-event';
import { addUsage, dollars, hitRateOf, type StepUsage } from './usage';

export type ProcessState = 'created' | 'running' | EndState;

/** The facts about a process that its own page and a row in a list both show. */
export interface ProcessFacts {
  state: ProcessState;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  /** The provider at work, or last at work: after a fallback not the resolved one. */
  provider?: string;
  model?: string;
  /** The driver of that provider; absent when an old record does not say. */
  driver?: string;
  usage: StepUsage;
  costUsd: number;
  /** What it would cost without the subscription that pays; absent where none does. */
  nominalUsd?: number;
  end?: ProcessEnd;
}

export interface StepView {
  step: number;
  provider: string;
  model?: string;
  /** The tool call that the step serves; absent for a step of the process itself. */
  call?: string;
  startedAt: number;
  ms?: number;
  finish?: StepFinish;
  usage?: StepUsage;
  costUsd?: number;
  nominalUsd?: number;
  /** See `hitRateOf`. */
  hitRate?: number;
}

/** A process as `trace` and its page show it: the fold of its events. */
export interface ProcessView extends ProcessOrigin, ProcessFacts {
  resolution?: Resolution;
  driverAlias?: string;
  driverKind?: DeviceKind;
  steps: StepView[];
  metadata: Record<string, string>;
}

export function openView(event: Extract<ProcessEvent, { type: 'created' }>): ProcessView {
  const { seq: _, time, type: __, ...origin } = event;
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { ...origin, state: 'created', createdAt: time, steps: [], usage, costUsd: 0, metadata: {} };
}

/** Takes the next event into a view. The event `created` opens the view; without one there is none. */
export function foldEvent(view: ProcessView | undefined, event: ProcessEvent): ProcessView | undefined {
  if (event.type === 'created') return openView(event);
  if (view) applyEvent(view, event);
  return view;
}

export function applyEvent(view: ProcessView, event: ProcessEvent): void {
  Object.assign(view, factsAfter(view, event));
  switch (event.type) {
    case 'resolve': {
      const { type: _, seq: __, time: ___, ...resolution } = event;
      Object.assign(view, { resolution, driverAlias: event.driverAlias, driverKind: event.driverKind });
      break;
    }
    case 'fallback':
      Object.assign(view, { driverAlias: event.driverAlias, driverKind: event.driverKind });
      break;
    case 'step': {
      const { step, provider, model, call, time } = event;
      view.steps.push({ step, provider, model, call, startedAt: time });
      break;
    }
    case 'step_end': {
      const { ms, finish, usage, costUsd, nominalUsd } = event;
      const step = view.steps.findLast(({ step: number }) => number === event.step);
      if (step) Object.assign(step, { ms, finish, usage, costUsd, nominalUsd, hitRate: usage && hitRateOf(usage) });
      break;
    }
    case 'metadata':
      view.metadata = { ...view.metadata, ...event.values };
      break;
    default:
  }
}

/** The rules of the fold: the facts that an event changes. Most events are pieces of text and change none. */
export function factsAfter(facts: ProcessFacts, event: ProcessEvent): Partial<ProcessFacts> | undefined {
  switch (event.type) {
    case 'resolve':
      return { provider: event.provider, driver: event.driver, model: event.model };
    case 'fallback':
      return { driver: event.driver };
    case 'running':
      return { state: 'running', startedAt: event.time };
    case 'step':
      return event.call === undefined ? { provider: event.provider, model: event.model } : undefined;
    case 'step_end': {
      const { usage, costUsd = 0, nominalUsd } = event;
      return {
        costUsd: dollars(facts.costUsd + costUsd),
        nominalUsd: nominalUsd === undefined ? facts.nominalUsd : dollars((facts.nominalUsd ?? 0) + nominalUsd),
        usage: usage ? addUsage(facts.usage, usage) : facts.usage,
      };
    }
    case 'exit': {
      const { seq: _, type: __, time, ...end } = event;
      return { state: end.state, endedAt: time, end };
    }
    default:
      return undefined;
  }
}

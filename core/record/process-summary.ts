import { isFields } from '../fields';
import type { ProcessEvent, ProcessOrigin } from './process-event';
import { factsAfter, openView, type ProcessFacts, type ProcessView } from './process-view';

const INTENT_LENGTH = 200;

/** A process as `ps` and the lists of the dashboard show it: one line of the index. Its intent is cut. */
export interface ProcessSummary extends Omit<ProcessOrigin, 'agentFile' | 'skills'>, ProcessFacts {
  effort?: string;
  steps: number;
}

export function summarize(view: ProcessView): ProcessSummary {
  const { pid, intent, steps, resolution, driverAlias: _, driverKind: __, metadata: ___, ...more } = view;
  const { agentFile: ____, skills: _____, ...facts } = more;
  // The pid comes first, so that a reader knows it without parsing the line.
  return { pid, intent: intent.slice(0, INTENT_LENGTH), ...facts, effort: resolution?.effort, steps: steps.length };
}

export function openSummary(event: Extract<ProcessEvent, { type: 'created' }>): ProcessSummary {
  return summarize(openView(event));
}

/** The row after the next event. A changed row is a new object, so that a list can tell the change by identity. */
export function applyToSummary(row: ProcessSummary, event: ProcessEvent): ProcessSummary {
  const changed = factsAfter(row, event);
  switch (event.type) {
    case 'resolve':
      return { ...row, ...changed, effort: event.effort };
    case 'step':
      return { ...row, ...changed, steps: row.steps + 1 };
    default:
      return changed ? { ...row, ...changed } : row;
  }
}

const TEXTS = ['uuid', 'daemon', 'intent', 'workingDirectory', 'state'];
const NUMBERS = ['pid', 'createdAt', 'steps', 'costUsd'];

/** Whether a line can be shown. By hand: a schema takes ten times as long, and `ps` reads thousands of lines. */
export function isSummary(value: unknown): value is ProcessSummary {
  if (!isFields(value)) return false;
  return (
    TEXTS.every((name) => typeof value[name] === 'string') &&
    NUMBERS.every((name) => typeof value[name] === 'number') &&
    isFields(value.usage)
  );
}

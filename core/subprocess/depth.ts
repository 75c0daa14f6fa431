import { HintedError } from '../errors';

// An agent that drivebay has started may ask drivebay in turn, whose agent may ask again. The depth counts the agents on this
// way: 0 is a user, or a program that no agent has started.

/** Every program of an agent has its depth in this variable. */
export const DEPTH_VARIABLE = 'DRIVEBAY_DEPTH';
/** A program that asks over HTTP says its depth in this header. */
export const DEPTH_HEADER = 'x-drivebay-depth';
/** At this depth nothing more is started. */
const DEEPEST = 3;

export class TooDeepError extends HintedError {
  readonly code = 'too_deep';
}

/** 0 for a text that is no depth. */
export function parseDepth(text: string | string[] | undefined): number {
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0;
}

/** The depth that a program says. Throws a TooDeepError where agents ask each other without end. */
export function admitDepth(text: string | string[] | undefined): number {
  const depth = parseDepth(text);
  if (depth < DEEPEST) return depth;
  throw new TooDeepError(
    `this is the agent of an agent of an agent (depth ${depth}): drivebay stops here, so that agents do not ask each other without end`,
    'answer without asking drivebay again',
  );
}

/** The depth of the asker by the signal of its call. Only calls of agents are in it. */
const depths = new WeakMap<AbortSignal, number>();

export function noteDepth(signal: AbortSignal, depth: number): void {
  depths.set(signal, depth);
}

/** The depth of a program that a call starts. Without a signal the program is the driver's own. */
export function depthFor(signal: AbortSignal | undefined): number {
  return ((signal && depths.get(signal)) ?? 0) + 1;
}

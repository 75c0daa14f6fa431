import type { ProcessEvent } from './process-event';
import type { StepUsage } from './usage';

/** What happens in a daemon, as it is told to whoever watches. */
export type LiveEvent = LiveHead & LiveEventBody;

export interface LiveHead {
  /** Grows by one with each event of a daemon, and is higher than any id of a daemon that ran before. */
  id: number;
  /** Milliseconds since the epoch. */
  time: number;
}

/** `project` is the root of the project it belongs to; absent outside of one. */
export type LiveEventBody = { project?: string } & (
  | { kind: 'process'; pid: number; uuid: string; event: ProcessEvent }
  | { kind: 'request'; request: string; event: RequestEvent }
  | { kind: 'provider'; provider: string; event: ProviderEvent }
  | { kind: 'daemon'; event: DaemonEvent }
);

/** A request at the gateway; `request` above is its id, as in logs and in `x-request-id`. */
export type RequestEvent =
  | { type: 'start'; provider: string; model?: string; stream: boolean }
  | {
      type: 'end';
      provider: string;
      status: number;
      ms: number;
      usage?: StepUsage;
      costUsd?: number;
      error?: string;
    };

/** A change of a provider's health, or what a check has found. */
export interface ProviderEvent {
  type: 'health';
  state: 'healthy' | 'offline' | 'unchecked';
  /** Of the latest check that succeeded. */
  latencyMs?: number;
  /** Whether this comes from a check, and not from a turn. */
  checked?: boolean;
  /** Whether the check that found it offline ran into its time limit. */
  timedOut?: boolean;
  /** Why it is offline, and what the user can do about it. */
  reason?: string;
  hint?: string;
}

/** A gateway was opened or closed, or a project opened, or a driver said something new of itself: look anew. */
export interface DaemonEvent {
  type: 'changed';
  what: 'listeners' | 'projects' | 'metadata';
}

import type { ProcessEnd, ProcessEvent } from '../events/process-event';
import type { ProcessView } from '../events/process-view';

/** Why somebody ends a process. */
export type KillReason = 'killed' | 'client_gone' | 'shutdown';

/** One agent process, from its creation until nothing of it is left. */
export interface AgentProcess {
  readonly view: ProcessView;
  /** Its events from a number on: those that were, then those to come. Ends after `exit`. */
  events(from?: number): AsyncIterable<ProcessEvent>;
  /** Ends it and every program it started. May be called at any time, repeatedly. */
  kill(reason: KillReason): void;
  /** Settles after `exit`. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
}

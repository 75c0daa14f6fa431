import type { ChatEvent, Usage } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';

/** How a run ended, by its own words. Its exit code says nothing: 0 has been seen with every failure. */
export type Outcome =
  | { type: 'answer'; finish: 'stop' | 'length'; usage: Usage | undefined }
  | { type: 'failure'; message: string }
  /** The answer began anew, after a part of it had been passed on. */
  | { type: 'restarted' };

/** What a piece of output says. */
export interface Reading {
  events: ChatEvent[];
  outcome?: Outcome;
  /** Something to look at beside the answer: a tool at work, a warning, another attempt. */
  note?: Fields;
}

import type { ChatEvent, Usage } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';

/** How a run ended, by its own words. */
export type Outcome =
  | { type: 'answer'; usage: Usage | undefined }
  /** `isEarly`: the CLI itself is not at its end, and would go on. */
  | { type: 'failure'; message: string; isEarly: boolean }
  /** The answer began anew, after a part of it had been passed on. */
  | { type: 'restarted' };

/** What an event of the CLI says. */
export interface Reading {
  events: ChatEvent[];
  outcome?: Outcome;
  /** Something to look at beside the answer: a tool at work, another attempt. */
  note?: Fields;
}

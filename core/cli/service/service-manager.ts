import type { ServicePlan } from './service-plan';

/** What keeps a program running for a user: systemd, or launchd. */
export interface ServiceManager {
  /** Where it looks for what it shall run. */
  readonly file: string;
  /** How the user sees the log. */
  readonly logCommand: string[];
  describe(plan: ServicePlan): string;
  /** Starts what the file describes, now and at each login; a running one anew. */
  start(): Promise<void>;
  /** Ends it, and keeps it from being started again. */
  stop(): Promise<void>;
  /** In the manager's own words: `active`, `failed`, `running` ... */
  state(): Promise<string>;
}

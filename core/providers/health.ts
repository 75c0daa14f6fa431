import type { ErrorKind } from '../contract/api';

export type HealthState = 'healthy' | 'offline' | 'unchecked';

/** What is known about a provider's backend, and since when. */
export interface Health {
  state: HealthState;
  /** Duration of the last successful check, in ms. */
  latencyMs?: number;
  /** Whether the check that found it offline ran into its time limit. */
  timedOut?: boolean;
  /** Why it is offline. */
  reason?: string;
  /** What sort of failure that is. */
  kind?: ErrorKind;
  /** What the user can do about it. */
  hint?: string;
  /** What the last check said besides, for example a version. */
  detail?: string;
  warnings?: string[];
  /** When the state was last confirmed, in ms since the epoch. */
  checkedAt?: number;
}

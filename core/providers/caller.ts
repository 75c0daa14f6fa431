import type { Logger, Usage, Workspace } from '../contract/api';
import type { Asker } from '../record/ledger';

/** What a call has used, as far as the driver said. */
export interface Used {
  usage: Usage | undefined;
  /** The model that the driver used. */
  model: string | undefined;
  costUsd: number;
}

/** Who asks a provider, and where the circumstances of the call go. */
export interface Caller {
  id: string;
  asker: Asker;
  /** One per call. The caller fires it, with a `CallAborted`, to end the call; the call itself fires it at the deadline. */
  abort: AbortController;
  /** When the request arrived, in ms since the epoch: the timeout counts from here. */
  arrivedAt: number;
  /** Waits for a slot however long the queue is; the timeout counts from the slot. */
  isPatient?: boolean;
  /** Called when the call has its slot. */
  onStart?(): void;
  /** Called when a call fails that had reached its driver, with the usage until then. */
  onFailure?(used: Used): void;
  trace?(event: string, fields: Record<string, unknown>): void;
  /** Takes the lines that the driver logs about this call, besides the log of the provider. */
  log?: Logger;
  workspace?: Workspace;
}

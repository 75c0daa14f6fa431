import type { LlmDevice } from '../devices/device';
import type { EventStream } from '../record/event-stream';
import type { ProcessSummary } from '../record/process-summary';
import type { UsageEntry, UsageRange } from '../record/ledger-entries';
import type { DaemonRow, ListenerRow, ProviderPlace } from './protocol';

/** What the dashboard can ask of the daemon that it is part of. */
export interface DashboardHost {
  readonly daemon: DaemonRow;
  readonly stream: EventStream;
  listeners(): ListenerRow[];
  providers(): Promise<HostProvider[]>;
  /** Every process with a record, as of the call of the function that this returns. */
  processes(): Promise<() => ProcessSummary[]>;
  /** The ledger, with every turn that has ended. */
  turns(range: UsageRange): AsyncIterable<UsageEntry>;
}

export interface HostProvider extends ProviderPlace {
  device: LlmDevice;
}

import type { LlmDevice } from '../devices/device';
import type { ServerReport } from '../devices/report-servers';
import type { LimitReport } from '../limits/limit-report';
import type { EventStream } from '../record/event-stream';
import type { ProcessEnd, ProcessEvent } from '../record/process-event';
import type { FoundProcesses } from '../record/read-processes';
import type { UnreadCount } from '../record/unread-lines';
import type { UsageEntry, UsageRange } from '../record/ledger-entries';
import type { DaemonRow, ListenerRow, ProviderPlace, UsageAnswer } from './protocol';

/** What the dashboard can ask of the daemon that it is part of. Failed requests reject with an HttpError. */
export interface DashboardHost {
  readonly daemon: DaemonRow;
  readonly stream: EventStream;
  listeners(): ListenerRow[];
  providers(): Promise<HostProvider[]>;
  processes(): Promise<HostProcesses>;
  /** The sums of the ledger, for the fields of a query. */
  usage(query: object): Promise<UsageAnswer>;
  limits(): Promise<LimitReport>;
  toolServers(): Promise<{ servers: ServerReport[] }>;
  /** The ledger, with every turn that has ended. */
  turns(range: UsageRange, unread?: UnreadCount): AsyncIterable<UsageEntry>;
}

interface HostProcesses {
  /** Every process with a record, as of the moment in which the function is called. */
  read(): Promise<() => FoundProcesses>;
  recorded(pid: number): Promise<HostRecord>;
  kill(pid: number): Promise<unknown>;
}

export interface HostRecord {
  /** Up to now. */
  events: AsyncIterable<ProcessEvent>;
  /** The end of a process whose record has none, because its daemon was killed. */
  end?: ProcessEnd;
}

export interface HostProvider extends ProviderPlace {
  device: LlmDevice;
}

import type { EventStream } from '../record/event-stream';
import type { ProcessEnd, ProcessEvent } from '../record/process-event';
import type { ProcessSummary } from '../record/process-summary';
import type { DaemonRow, ListenerRow, ProviderFacts } from './protocol';

/** What the dashboard knows of the daemon that it is part of. */
export interface DashboardHost {
  readonly daemon: DaemonRow;
  readonly stream: EventStream;
  /** The state folder, with records and ledger. */
  readonly state: string;
  listeners(): ListenerRow[];
  projects(): Promise<HostProject[]>;
  /** Resolves when the ledger on disk has every turn that has ended. */
  flushLedger(): Promise<void>;
  /** Every process with a record, as of some moment within the call. */
  processes(): Promise<ProcessSummary[]>;
  /** Those without an end on disk, as of now. */
  unwritten(): ProcessSummary[];
  /** Undefined: there is none. */
  record(pid: number): Promise<HostRecord | undefined>;
  /** False: this daemon runs no such process. */
  kill(pid: number): Promise<boolean>;
}

export interface HostRecord {
  /** Up to now. */
  events: AsyncIterable<ProcessEvent>;
  /** Where the record has no end, because the daemon that wrote it is gone. */
  end?: ProcessEnd;
}

/** A project that is open in the daemon. */
export interface HostProject {
  root: string | null;
  providers: HostProvider[];
}

export interface HostProvider {
  /** As known now. */
  facts(): ProviderFacts;
  /** Looks at the backend anew, where that is due. Never rejects. */
  look(): Promise<void>;
}

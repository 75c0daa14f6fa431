import type { EventStream } from '../../record/event-stream';
import type { Ledger, LedgerEntry } from '../../record/ledger';
import type { ProviderEvent } from '../../record/live-event';

// A function keeps all variables in memory that any function beside it uses. Providers keep these two, also from one reload to
// the next: beside `openProject` each of them would keep the devices of all projects before it.

export function bookIn(ledger: Ledger, root: string | undefined): (entry: LedgerEntry) => void {
  return root === undefined ? ledger.book : (entry) => ledger.book({ ...entry, project: root });
}

export function reportTo(
  stream: EventStream,
  root: string | undefined,
): (provider: string, event: ProviderEvent) => void {
  return (provider, event) => void stream.publish({ project: root, kind: 'provider', provider, event });
}

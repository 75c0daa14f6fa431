import type { EventStream } from '../../record/event-stream';
import type { Ledger, LedgerEntry } from '../../record/ledger';
import type { ProviderEvent } from '../../record/live-event';

// Providers keep the functions that these two return, also from one reload to the next. In `openProject` such a function would
// keep all variables there in memory, and so the devices of every project before.

export function bookIn(ledger: Ledger, root: string | undefined): (entry: LedgerEntry) => void {
  return root === undefined ? ledger.book : (entry) => ledger.book({ ...entry, project: root });
}

export function reportTo(
  stream: EventStream,
  root: string | undefined,
): (provider: string, event: ProviderEvent) => void {
  return (provider, event) => void stream.publish({ project: root, kind: 'provider', provider, event });
}

import type { AgentTable } from '../agents/agent-table';
import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import type { Tracing } from '../contract/work-span';
import type { EventStream } from '../record/event-stream';
import type { Ledger } from '../record/ledger';
import { localProcesses } from '../subprocess/local-processes';
import { formatIdentity } from '../subprocess/run-marker';
import { isDaemonAlive } from './socket/pid-file';
import type { DaemonFolders } from './socket/socket-places';

/** The agents of this daemon, with the records of those before. Speed: the code loads with the first use. */
export async function openAgents(
  { paths, redactor, log }: { paths: DaemonFolders; redactor: Redactor; log: Logger },
  { stream, ledger }: { stream: EventStream; ledger: Ledger },
  tracing: () => Promise<Tracing | undefined>,
): Promise<AgentTable> {
  const { AgentTable } = await import('../agents/agent-table');
  const { ProcessStore } = await import('../record/process-store');
  const daemon = formatIdentity(localProcesses().identity);
  const store = new ProcessStore({ state: paths.state, daemon, isAlive: isDaemonAlive, stream, redactor, log });
  await store.open();
  return new AgentTable({ store, ledger, log, tracing: await tracing() });
}

import { ProcessTable } from '../agents/process-table';
import { ProcessStore } from '../state/process-store';
import type { Daemon } from './daemon';
import { isDaemonAlive } from './is-daemon-alive';

/** The agent processes of a daemon, and the records of all that were before. */
export interface Agents {
  table: ProcessTable;
  store: ProcessStore;
}

export async function openAgents({ parts, identity, stream }: Daemon): Promise<Agents> {
  const { paths, redactor, log } = parts;
  const common = { stream, redactor, log };
  const store = new ProcessStore({ state: paths.state, daemon: identity, isAlive: isDaemonAlive, ...common });
  await store.open();
  return { store, table: new ProcessTable({ store, ...common }) };
}

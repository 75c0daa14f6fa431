import { ComposeTable } from '../agents/compose/compose-table';
import { AgentTable } from '../agents/agent-table';
import { ProcessStore } from '../record/process-store';
import type { Daemon } from './daemon';
import { isDaemonAlive } from './socket/is-daemon-alive';

/** The agent processes of a daemon, and the records of all that were before. */
export interface Agents {
  table: AgentTable;
  compose: ComposeTable;
  store: ProcessStore;
}

export async function openAgents({ parts, identity, stream }: Daemon): Promise<Agents> {
  const { paths, redactor, log } = parts;
  const { state } = paths;
  const store = new ProcessStore({ state, daemon: identity, isAlive: isDaemonAlive, stream, redactor, log });
  await store.open();
  const table = new AgentTable({ store, log });
  return { store, table, compose: new ComposeTable(table) };
}

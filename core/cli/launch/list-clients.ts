import type { LaunchClient } from '../../plugins/clients';
import { printReport } from '../terminal/print';
import { formatTable } from '../terminal/table';
import { findClientProgram, whyNot } from './find-client';

const HEADS = ['Client', 'Program', 'State', 'Where'];
const COLOURS = { ready: 'green', 'not installed': 'dim', impossible: 'yellow' } as const;

interface ClientRow {
  name: string;
  title: string;
  state: keyof typeof COLOURS;
  /** The path of the program. */
  path: string | null;
  /** The command that installs it. */
  install: string | null;
  /** Why it cannot be a client. */
  reason: string | null;
}

/** `launch --list`: what can be started, and what is missing for the rest. */
export async function printClients(clients: readonly LaunchClient[], json: boolean | undefined): Promise<void> {
  const rows = await Promise.all(clients.map(look));
  printReport(json, { clients: rows }, () =>
    formatTable(
      HEADS,
      rows.map(({ name, title, state, path, install, reason }) => {
        const where = reason ?? path ?? (install ? `install: ${install}` : '');
        return [name, title, { text: state, colour: COLOURS[state] }, where];
      }),
    ),
  );
}

async function look(client: LaunchClient): Promise<ClientRow> {
  const { name, title, install = null } = client;
  const reason = whyNot(client) ?? null;
  const path = await findClientProgram(client).catch(() => null);
  const state = reason !== null ? 'impossible' : path === null ? 'not installed' : 'ready';
  return { name, title, state, path, install, reason };
}

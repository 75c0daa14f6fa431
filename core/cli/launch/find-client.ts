import { didYouMean } from '../../config/did-you-mean';
import { HintedError, hintOf, messageOf, UsageError } from '../../errors';
import { dialects } from '../../gateway/dialects/dialects';
import type { LaunchClient } from '../../plugins/clients';
import type { PluginRegistry } from '../../plugins/registry';
import { findProgram } from '../../subprocess/find-program';
import { formatTable, printReport } from '../terminal/print';

const SEE_ALL = 'to see them all: drivebay launch --list';

/** The clients of all manifests, by name. Of two with one name the first counts: those that come with Drivebay. */
export function listClients(plugins: PluginRegistry): LaunchClient[] {
  const byName = new Map<string, LaunchClient>();
  for (const { clients } of plugins.manifests()) {
    for (const client of clients) if (!byName.has(client.name)) byName.set(client.name, client);
  }
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Throws a UsageError for a name that no manifest has, and for a program that cannot be a client. */
export function chooseClient(name: string | undefined, clients: readonly LaunchClient[]): LaunchClient {
  const names = clients.map((each) => each.name);
  if (name === undefined) throw new UsageError('which program?', `one of ${names.join(', ')}; ${SEE_ALL}`);
  const found = clients.find((client) => isCalled(client, name));
  if (!found) {
    const wanted = name.toLowerCase().replace(/[-_.]/g, ' ');
    const near = clients.find(({ title }) => title.toLowerCase() === wanted)?.name ?? didYouMean(name, names);
    throw new UsageError(`there is no client "${name}"`, near ? `did you mean ${near}? ${SEE_ALL}` : SEE_ALL);
  }
  const reason = whyNot(found);
  if (reason !== undefined) throw new UsageError(`${found.title} cannot use the gateway: ${reason}`);
  return found;
}

/** Users type the name of a client, or that of its program. */
export function isCalled({ name, programs }: LaunchClient, word: string): boolean {
  return name === word || programs.includes(word);
}

/** Why a program cannot be a client of the gateway. */
export function whyNot({ api }: LaunchClient): string | undefined {
  const names = [...new Set(dialects.map(({ name }) => name))];
  return names.includes(api) ? undefined : `it speaks the API ${api}; the gateway has ${names.join(', ')}`;
}

/** The path of the program. Throws a HintedError with the command that installs it. */
export async function findClientProgram({ title, programs, install }: LaunchClient): Promise<string> {
  try {
    return await findProgram({ names: programs, userFolders: true, environment: process.env });
  } catch (error) {
    throw new HintedError(`${title}: ${messageOf(error)}`, install ? `to install it: ${install}` : hintOf(error));
  }
}

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

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DashboardAccess } from '../../dashboard/access';
import { Dashboard } from '../../dashboard/dashboard';
import type { DashboardHost, HostProvider } from '../../dashboard/dashboard-host';
import { packageRoot, productVersion } from '../../package';
import { ledgerEntries } from '../../record/usage-summary';
import { checkInput } from '../control/control-route';
import { readUsage, usageQuerySchema } from '../control/daemon-routes';
import type { Operations } from '../control/operations';
import { DeviceFacts } from '../project/device-facts';

const HOW_TO_OPEN = 'to open the dashboard, run: `drivebay dashboard`';
const NO_SOCKET =
  'no command can reach this gateway, because it could not use its state folder: its first lines say why; mend that and ' +
  'restart it';

export type OpenDashboard = ReturnType<typeof openDashboard>;

/** The dashboard, and the access to it. Each daemon makes its own token. */
export function openDashboard(daemon: Operations, socket: string | undefined) {
  const token = randomBytes(32).toString('base64url');
  // The file lets in each program that can read it. Without a socket there is no such file.
  const file = socket && join(dirname(socket), 'dashboard.token');
  if (file) writeToken(file, token);
  const place = createHash('sha256').update(socket ?? String(process.pid));
  const cookie = `drivebay-${place.digest('hex').slice(0, 12)}`;
  const access = new DashboardAccess(token, cookie, socket ? HOW_TO_OPEN : NO_SOCKET);
  const assets = join(packageRoot, 'dist', 'dashboard');
  const dashboard = new Dashboard({ host: makeHost(daemon), access, assets, log: daemon.parts.log });
  const close = () => {
    dashboard.close();
    if (file) removeToken(file, token);
  };
  return { dashboard, access, close };
}

function writeToken(file: string, token: string): void {
  // An existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
}

/** Leaves the token of a later daemon. */
function removeToken(file: string, token: string): void {
  try {
    if (readFileSync(file, 'utf8').trim() === token) rmSync(file, { force: true });
  } catch {
    // Another program has removed it.
  }
}

/** The operations of the daemon as its dashboard asks them. */
function makeHost(daemon: Operations): DashboardHost {
  const { startedAt, stream, ledger, listeners, projects } = daemon;
  const { state } = daemon.parts.paths;
  const facts = new DeviceFacts(
    () => void stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'metadata' } }),
  );
  return {
    daemon: { version: productVersion, pid: process.pid, startedAt },
    stream,
    listeners: () =>
      listeners.list().map(({ port, opened, serves }) => ({ port, project: opened.project.root ?? null, serves })),
    async projects() {
      const byRoot = new Map<string | null, Map<string, HostProvider>>();
      // A folder may be open more than once, with and without the demo. When two providers share a name, the last one is shown.
      for (const { project } of await projects.list()) {
        const root = project.root ?? null;
        const providers = byRoot.get(root) ?? new Map<string, HostProvider>();
        for (const device of project.devices.llms()) {
          providers.set(device.name, { facts: () => facts.describe(device), look: () => facts.look(device) });
        }
        byRoot.set(root, providers);
      }
      return [...byRoot].map(([root, providers]) => ({ root, providers: [...providers.values()] }));
    },
    processes: () => daemon.agents(),
    usage: (query) => readUsage(daemon, checkInput(usageQuerySchema, query, 'query')),
    async *turns(range) {
      await ledger.flush();
      yield* ledgerEntries(state, range);
    },
  };
}

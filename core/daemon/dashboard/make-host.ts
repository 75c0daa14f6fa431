import type { DashboardHost, HostProvider } from '../../dashboard/dashboard-host';
import { productVersion } from '../../package';
import { ledgerEntries } from '../../record/usage-summary';
import { checkInput } from '../control/control-route';
import type { Operations } from '../control/operations';
import { readUsage, usageQuerySchema } from '../control/daemon-routes';
import { DeviceFacts } from '../project/device-facts';

/** The operations of the daemon as its dashboard asks them. */
export function makeHost(daemon: Operations): DashboardHost {
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

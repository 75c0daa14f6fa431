import type { DashboardHost, HostProject } from '../../dashboard/dashboard-host';
import { productVersion } from '../../package';
import { summarize } from '../../record/process-summary';
import type { Daemon } from '../daemon';
import { DeviceFacts } from '../project/device-facts';
import { findRecorded } from '../control/recorded-process';
import type { Agents } from '../agents';

/** The daemon as its dashboard sees it. */
export function dashboardHost(daemon: Daemon): DashboardHost {
  const { stream } = daemon;
  const { state } = daemon.parts.paths;
  const facts = new DeviceFacts(
    () => void stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'metadata' } }),
  );
  let agents: Agents | undefined;
  const opened = async () => (agents ??= await daemon.agents());
  return {
    daemon: { version: productVersion, pid: process.pid, startedAt: daemon.startedAt },
    stream,
    state,
    listeners: () =>
      daemon.listeners.list().map(({ port, opened, serves }) => ({
        port,
        project: opened.project.root ?? null,
        serves,
      })),
    async projects() {
      const projects = new Map<string | null, Map<string, HostProject['providers'][number]>>();
      // The same folder may be open more than once, with and without the demo: the last one counts.
      for (const { project } of await daemon.projects.list()) {
        const root = project.root ?? null;
        const providers = projects.get(root) ?? new Map<string, HostProject['providers'][number]>();
        for (const device of project.devices.llms()) {
          providers.set(device.name, { facts: () => facts.describe(device), look: () => facts.look(device) });
        }
        projects.set(root, providers);
      }
      return [...projects].map(([root, providers]) => ({ root, providers: [...providers.values()] }));
    },
    flushLedger: () => daemon.ledger.flush(),
    processes: async () => (await opened()).store.list(),
    unwritten: () => agents?.store.unwritten().map(({ view }) => summarize(view)) ?? [],
    async record(pid) {
      const found = findRecorded(await opened(), state, pid);
      return found && { events: found.events(), ...(found.end && { end: found.end }) };
    },
    async kill(pid) {
      const living = (await opened()).table.find(pid);
      living?.kill('killed');
      return living !== undefined;
    },
  };
}

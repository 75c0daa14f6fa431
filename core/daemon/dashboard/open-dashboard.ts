import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../contract/api';
import { DashboardAccess } from '../../dashboard/access';
import { Dashboard } from '../../dashboard/dashboard';
import type { DashboardHost, HostProvider } from '../../dashboard/dashboard-host';
import { API_PATH } from '../../dashboard/protocol';
import type { LlmDevice } from '../../devices/device';
import { messageOf } from '../../errors';
import { packageRoot, productVersion } from '../../package';
import { ledgerEntries } from '../../record/ledger-entries';
import { writeWhole } from '../../write-whole';
import { type ControlApi, controlRoutes } from '../control/control-api';
import type { Operations } from '../control/operations';
import type { Project } from '../project/project';

const HOW_TO_OPEN = 'to open the dashboard, run: `drivebay dashboard`';
const NO_SOCKET =
  'no command can reach this gateway, because it could not use its state folder: its first lines say why; fix that and ' +
  'restart it';

/** The routes of the control API that a browser may ask. */
const OF_PAGE = new Set([
  ...['get /v1/events', 'get /v1/usage', 'get /v1/limits', 'get /v1/tool-servers'],
  ...['get /v1/processes/:id/events', 'post /v1/processes/:id/kill'],
]);

export type OpenDashboard = ReturnType<typeof openDashboard>;

/** The dashboard, and the access to it. Each daemon makes its own token. */
export function openDashboard(daemon: Operations, control: ControlApi, socket: string | undefined) {
  const token = randomBytes(32).toString('base64url');
  // The file lets in each program that can read it. Without a socket there is no such file.
  const file = socket && join(dirname(socket), 'dashboard.token');
  if (file) tellToken(file, token, daemon.parts.log);
  const place = createHash('sha256').update(socket ?? String(process.pid));
  const cookie = `drivebay-${place.digest('hex').slice(0, 12)}`;
  const access = new DashboardAccess(token, cookie, socket ? HOW_TO_OPEN : NO_SOCKET);
  const assets = join(packageRoot, 'dist', 'dashboard');
  const shared = controlRoutes(daemon)
    .filter(({ method, path }) => OF_PAGE.has(`${method} ${path}`))
    .map((route) => control.serving(route, API_PATH + route.path.slice('/v1'.length)));
  const dashboard = new Dashboard({ host: makeHost(daemon), access, assets, log: daemon.parts.log, shared });
  const close = () => {
    dashboard.close();
    if (file) removeToken(file, token);
  };
  return { dashboard, access, close };
}

/** On a full disk the dashboard opens without it: `drivebay dashboard` asks the daemon itself for the token. */
function tellToken(file: string, token: string, log: Logger): void {
  try {
    writeWhole(file, `${token}\n`);
  } catch (error) {
    log.warn(`${file} cannot be written: ${messageOf(error)}; to open the dashboard, run: drivebay dashboard`);
  }
}

/** Leaves the token of a later daemon. */
function removeToken(file: string, token: string): void {
  try {
    if (readFileSync(file, 'utf8').trim() === token) rmSync(file, { force: true });
  } catch {
    // Another program has removed it.
  }
}

function makeHost(daemon: Operations): DashboardHost {
  const { startedAt, stream, ledger, listeners, projects } = daemon;
  const { state } = daemon.parts.paths;
  return {
    daemon: { version: productVersion, pid: process.pid, startedAt },
    stream,
    listeners: () =>
      listeners.list().map(({ port, opened, serves, needsKey }) => {
        return { port, project: opened.project.root ?? null, serves, needsKey };
      }),
    async providers() {
      const found = new Map<string, HostProvider>();
      // A folder may be open more than once, with and without the demo. When two providers share a name, the last one is shown.
      for (const { project } of await projects.list()) {
        const root = project.root ?? null;
        for (const device of [...project.devices.providers(), ...project.devices.routes()]) {
          found.set(JSON.stringify([root, device.name]), { device, project: root, files: filesOf(project, device) });
        }
      }
      return [...found.values()];
    },
    processes: async () => (await daemon.agents()).read(),
    async *turns(range) {
      await ledger.flush();
      yield* ledgerEntries(state, range);
    },
  };
}

/** The configuration files with fields of a provider: a project's file may change some of the global entry. */
function filesOf({ entries, routes, files }: Project, { name, route }: LlmDevice): string[] {
  if (route) return routes.filter((entry) => entry.name === name).map(({ place }) => belowHome(place.file));
  const fields = entries.find((entry) => entry.name === name)?.fields.entries.values() ?? [];
  const named = new Set([...fields].map(({ place }) => place.file));
  return files.filter((file) => named.has(file)).map(belowHome);
}

function belowHome(file: string): string {
  const home = `${process.env.HOME}/`;
  return file.startsWith(home) ? `~/${file.slice(home.length)}` : file;
}

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Access } from '../../dashboard/access';
import { Dashboard } from '../../dashboard/dashboard';
import { packageRoot } from '../../package';
import type { Daemon } from '../daemon';
import { dashboardHost } from './dashboard-host';
import { removeToken, writeToken } from './dashboard-token';

const HOW_TO_OPEN = 'to open the dashboard, run: `drivebay dashboard`';
const NOBODY =
  'this gateway could not use its state folder, so no command can reach it and nobody is let in: what it said when it ' +
  'started says why; mend that, and restart it';

export interface OpenDashboard {
  dashboard: Dashboard;
  access: Access;
  close(): void;
}

export function openDashboard(daemon: Daemon): OpenDashboard {
  const { socketPath, parts } = daemon;
  // A daemon that nobody can find lets nobody in.
  const token = socketPath === undefined ? randomBytes(32).toString('base64url') : writeToken(socketPath);
  const place = createHash('sha256').update(socketPath ?? String(process.pid));
  const howToOpen = socketPath === undefined ? NOBODY : HOW_TO_OPEN;
  const access = new Access(token, `drivebay-${place.digest('hex').slice(0, 12)}`, howToOpen);
  const assets = join(packageRoot, 'dist', 'dashboard');
  const dashboard = new Dashboard({ host: dashboardHost(daemon), access, assets, log: parts.log });
  const close = () => {
    dashboard.close();
    if (socketPath !== undefined) removeToken(socketPath, token);
  };
  return { dashboard, access, close };
}

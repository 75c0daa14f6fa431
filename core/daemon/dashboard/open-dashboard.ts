import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DashboardAccess } from '../../dashboard/access';
import { Dashboard } from '../../dashboard/dashboard';
import { packageRoot } from '../../package';
import type { Operations } from '../control/operations';
import { makeHost } from './make-host';

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
  // Replaced, because an existing file would keep its mode.
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, file);
}

/** Leaves the token of a later daemon. */
function removeToken(file: string, token: string): void {
  try {
    if (readFileSync(file, 'utf8').trim() === token) rmSync(file, { force: true });
  } catch {
    // Another program has removed it.
  }
}

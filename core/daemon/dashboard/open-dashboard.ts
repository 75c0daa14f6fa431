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

/** The dashboard, and the access to it. Each daemon makes its own token. */
export class OpenDashboard {
  readonly dashboard: Dashboard;
  readonly access: DashboardAccess;
  /** `dashboard.token` beside the socket lets in each program that can read it. Without a socket there is no such file. */
  private readonly file: string | undefined;

  constructor(daemon: Operations, socket: string | undefined) {
    const token = randomBytes(32).toString('base64url');
    this.file = socket && join(dirname(socket), 'dashboard.token');
    if (this.file) writeToken(this.file, token);
    const place = createHash('sha256').update(socket ?? String(process.pid));
    const cookie = `drivebay-${place.digest('hex').slice(0, 12)}`;
    this.access = new DashboardAccess(token, cookie, socket ? HOW_TO_OPEN : NO_SOCKET);
    const assets = join(packageRoot, 'dist', 'dashboard');
    this.dashboard = new Dashboard({ host: makeHost(daemon), access: this.access, assets, log: daemon.parts.log });
  }

  close(): void {
    this.dashboard.close();
    if (this.file) removeToken(this.file, this.access.token);
  }
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

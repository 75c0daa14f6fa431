import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// `dashboard.token` beside the socket of a daemon: whoever can read it may look at the dashboard. Each daemon makes its own.

export function writeToken(socket: string): string {
  const token = randomBytes(32).toString('base64url');
  const file = fileBeside(socket);
  // A file that is there keeps its mode when it is written: it is replaced.
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, file);
  return token;
}

export function removeToken(socket: string, token: string): void {
  const file = fileBeside(socket);
  try {
    if (readFileSync(file, 'utf8').trim() === token) rmSync(file, { force: true });
  } catch {
    // Somebody was faster.
  }
}

function fileBeside(socket: string): string {
  return join(dirname(socket), 'dashboard.token');
}

import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { localProcesses } from '../../subprocess/local-processes';
import { sweepOwnFolders } from '../../subprocess/owned-folder';
import { type DaemonIdentity, formatIdentity, parseIdentity } from '../../subprocess/run-marker';

/** Hosts may share the temporary folder, and the first namespace has one number on all of them. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const NAME = new RegExp(`^(?:drivebay-(?:kit|check|home)|fake cli)-${HOST}-(.+)-\\w{6}$`);

let isSwept = false;

/** The caller removes the folder. A run that a signal ends cannot, so the next run does it, before its own first folder. */
export function temporaryFolder(kind: 'drivebay-kit' | 'drivebay-check' | 'drivebay-home' | 'fake cli'): string {
  // Without the table of processes a run that is at work would seem to have ended.
  if (!isSwept && localProcesses().table) sweepOwnFolders(tmpdir(), ownerOf);
  isSwept = true;
  return mkdtempSync(join(tmpdir(), `${kind}-${HOST}-${formatIdentity(localProcesses().identity)}-`));
}

/**
 * Containers and users share the temporary folder. A run of another container cannot be seen, and may be at work. A folder of
 * another user could become a link while it is removed.
 */
function ownerOf(name: string): DaemonIdentity | undefined {
  const owner = parseIdentity(NAME.exec(name)?.[1] ?? '');
  if (owner?.namespace !== localProcesses().identity.namespace) return undefined;
  const { uid } = lstatSync(join(tmpdir(), name), { throwIfNoEntry: false }) ?? {};
  return uid === process.getuid?.() ? owner : undefined;
}

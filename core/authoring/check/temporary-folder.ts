import { lstatSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localProcesses } from '../../subprocess/local-processes';
import { sweepOwnFolders } from '../../subprocess/owned-folder';
import { type DaemonIdentity, formatIdentity, parseIdentity } from '../../subprocess/run-marker';

const NAME = /^(?:drivebay-(?:kit|check|home)|fake cli)-(.+)-\w{6}$/;

let isSwept = false;

/** Who makes the folder removes it. A run that a signal ends cannot: the first folder of the next one does. */
export function temporaryFolder(kind: 'drivebay-kit' | 'drivebay-check' | 'drivebay-home' | 'fake cli'): string {
  // Without the table nobody knows what runs.
  if (!isSwept && localProcesses().table) sweepOwnFolders(tmpdir(), ownerOf);
  isSwept = true;
  return mkdtempSync(join(tmpdir(), `${kind}-${formatIdentity(localProcesses().identity)}-`));
}

/** Sandboxes and users share the place: a program of another one may run, and another user can exchange what is removed. */
function ownerOf(name: string): DaemonIdentity | undefined {
  const owner = parseIdentity(NAME.exec(name)?.[1] ?? '');
  if (owner?.namespace !== localProcesses().identity.namespace) return undefined;
  const { uid } = lstatSync(join(tmpdir(), name), { throwIfNoEntry: false }) ?? {};
  return uid === process.getuid?.() ? owner : undefined;
}

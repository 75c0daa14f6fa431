import { join } from 'node:path';
import { endAbandoned, untilGone } from '../subprocess/end-abandoned';
import { sweepOwnFolders } from '../subprocess/owned-folder';
import type { Launched } from './control/protocol';

const LAUNCHER_MS = 3_000;

/** Where `launch` keeps the settings of the programs that run, in a folder for each. */
export function launchFolder(state: string): string {
  return join(state, 'launch');
}

/** What is to do when a `launch` was killed: its program has no gateway any more, and its folder no owner. */
export async function endLaunched({ program, launcher }: Launched, state: string): Promise<void> {
  // The system closes the connections of a program shortly before the program is gone.
  await Promise.all([endAbandoned(program), untilGone(launcher, LAUNCHER_MS)]);
  sweepOwnFolders(launchFolder(state));
}

import { createReadStream, statSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { daemonLogFile } from '../../daemon/daemon-log';
import { codeOf } from '../../errors';
import { harmless } from '../../log/printable';
import { makeFolder } from '../../make-folder';
import { explainFolder } from '../../paths';
import { pathsHere } from '../here';
import { serviceLogCommand } from '../service/find-service-manager';
import { printNote } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { findDaemonHere } from './running-daemon';

export interface DaemonLogsOptions {
  lines: number;
  follow?: boolean;
}

/** `daemon logs`: the end of the log of the daemon in the background, and new lines as they come. */
export async function daemonLogs({ lines, follow }: DaemonLogsOptions): Promise<void> {
  const elsewhere = await findElsewhere();
  const { state } = pathsHere();
  const file = daemonLogFile(state);
  let log: Buffer | undefined;
  try {
    // The daemon keeps the file below 5 MB.
    log = await readFile(file);
  } catch (error) {
    // The error of a read names no path.
    if (codeOf(error) !== 'ENOENT') throw explainFolder(Object.assign(error as Error, { path: file }), { state });
  }
  if (log === undefined) {
    const waits = follow && elsewhere === undefined;
    printNote(
      elsewhere === undefined ? `there is no log yet${waits ? ', waiting for it' : ''}: ${file}` : `note: ${elsewhere}`,
    );
    if (!waits) return;
    // A folder that does not exist cannot be watched.
    makeFolder(state);
  } else {
    if (elsewhere !== undefined) printNote(`note: these lines are older; ${elsewhere}`);
    const all = log.toString('utf8').split('\n');
    // The text after the last line break counts as one line more.
    write(all.slice(-lines - 1).join('\n'));
  }
  if (follow) await untilInterrupted(followFile(file, log?.length ?? 0));
}

/** The file has no lines of a daemon in a terminal, nor of a daemon that a service manager runs. */
async function findElsewhere(): Promise<string | undefined> {
  const daemon = await findDaemonHere();
  if (!daemon || daemon.info.log !== null) return undefined;
  const where = serviceLogCommand(process.env) ?? 'in its terminal';
  return `the log of the daemon that runs (pid ${daemon.info.pid}): ${where}`;
}

async function followFile(path: string, start: number): Promise<void> {
  let at = start;
  let wake: () => void = () => undefined;
  watch(dirname(path), (_, name) => name === basename(path) && wake());
  for (;;) {
    const changed = new Promise<void>((resolve) => (wake = resolve));
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // A full log was emptied: its content is in the file beside it.
    if (size < at) at = 0;
    if (size > at)
      for await (const piece of createReadStream(path, { start: at, encoding: 'utf8' }) as AsyncIterable<string>) {
        write(piece);
        at += Buffer.byteLength(piece);
      }
    await changed;
  }
}

/** The log also has what a plug-in prints by itself. */
function write(text: string): void {
  process.stdout.write(process.stdout.isTTY ? harmless(text) : text);
}

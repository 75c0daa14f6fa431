import { createReadStream, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { daemonLogFile } from '../../daemon/daemon-log';
import { codeOf } from '../../errors';
import { findPaths } from '../../paths';
import { printNote } from '../terminal/print';
import { serviceLogCommand } from '../service/service-log-command';
import { untilInterrupted } from '../terminal/until-interrupted';
import { findDaemonQuietly } from './running-daemon';
import { workingDirectory } from '../working-directory';

export interface DaemonLogsOptions {
  lines: number;
  follow?: boolean;
}

const CHUNK = 64 * 1024;

/** `daemon logs`: the end of the log of the daemon in the background, and what comes. */
export async function daemonLogs({ lines, follow }: DaemonLogsOptions): Promise<void> {
  await sayElsewhere();
  const file = daemonLogFile(findPaths(process.env, workingDirectory()).state);
  let at: number;
  try {
    at = await printEnd(file, lines);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    printNote(`there is no log yet: ${file}`);
    return;
  }
  if (!follow) return;
  await untilInterrupted(followFile(file, at));
}

/** The file has nothing of a daemon in a terminal, or of one that a service manager runs. */
async function sayElsewhere(): Promise<void> {
  const daemon = await findDaemonQuietly();
  if (!daemon || daemon.info.log !== null) return;
  const where = serviceLogCommand(process.env) ?? 'in its terminal';
  printNote(`note: what follows is older; the log of the daemon that runs (pid ${daemon.info.pid}): ${where}`);
}

/** Resolves with the size that it has seen. */
async function printEnd(path: string, lines: number): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let start = size;
    let text = '';
    // One line break more than lines: the last one ends with it.
    while (start > 0 && count(text) <= lines) {
      const length = Math.min(CHUNK, start);
      start -= length;
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
      text = buffer.toString('utf8') + text;
    }
    const wanted = text
      .split('\n')
      .slice(-lines - 1)
      .join('\n');
    process.stdout.write(wanted);
    return size;
  } finally {
    await file.close();
  }
}

function count(text: string): number {
  return text.split('\n').length - 1;
}

async function followFile(path: string, start: number): Promise<void> {
  let at = start;
  let wake: () => void = () => undefined;
  watch(dirname(path), (_, name) => name === basename(path) && wake());
  for (;;) {
    const changed = new Promise<void>((resolve) => (wake = resolve));
    const { size } = await stat(path);
    // Emptied: its content is in the file beside it.
    if (size < at) at = 0;
    for await (const piece of createReadStream(path, { start: at, encoding: 'utf8' }) as AsyncIterable<string>) {
      process.stdout.write(piece);
      at += Buffer.byteLength(piece);
    }
    await changed;
  }
}

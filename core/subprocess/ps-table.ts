import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessRow, ProcessTable } from './process-table';
import { RUN_MARKER } from './run-marker';

/** All processes, with their environment after the command, whole. The same letter means something else on macOS. */
const SELECTION = process.platform === 'darwin' ? '-axEww' : 'axeww';
/** Each by itself: where `ps` is of BSD, everything after the first `=` would be the heading of one column. */
const COLUMNS = ['pid=', 'ppid=', 'pgid=', 'stat=', 'lstart=', 'command='];
const ARGUMENTS = [SELECTION, ...COLUMNS.flatMap((column) => ['-o', column])];
const OPTIONS = { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' } as const;

const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/;
const MARKER = new RegExp(`(?:^|\\s)${RUN_MARKER}=(\\S+)`);

/** macOS and other Unix systems without /proc: asks `ps`. */
export class PsTable implements ProcessTable {
  /** Times are in whole seconds, and rounded by different hands. */
  readonly tolerance = 2;
  readonly namespace = '';

  async read(): Promise<ProcessRow[]> {
    const { stdout } = await promisify(execFile)('ps', ARGUMENTS, OPTIONS);
    return parse(stdout);
  }

  readSync(): ProcessRow[] {
    const { error, stdout } = spawnSync('ps', ARGUMENTS, OPTIONS);
    return error ? [] : parse(stdout);
  }

  startOf(pid: number): number {
    return pid === process.pid ? Math.round(Date.now() / 1000 - process.uptime()) : this.now();
  }

  now(): number {
    return Math.round(Date.now() / 1000);
  }

  find(pid: number): number | undefined {
    return this.readSync().find((row) => row.pid === pid)?.start;
  }
}

function parse(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, start, command] = ROW.exec(line) ?? [];
    if (command === undefined || state === undefined || state.startsWith('Z')) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // Not known the same way on every system; the other signs find the process as well.
      session: 0,
      start: Date.parse(start ?? '') / 1000,
      marker: () => MARKER.exec(command)?.[1],
    };
  });
}

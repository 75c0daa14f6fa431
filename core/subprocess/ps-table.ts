import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { OsProcess, OsProcessTable } from './os-process-table';
import { RUN_MARKER } from './run-marker';

/** All processes, with their environment after the command, whole. The same letters mean something else on macOS. */
const SELECTION = process.platform === 'darwin' ? '-axEww' : 'axeww';
/** One option each: the `ps` of BSD would take everything after the first `=` as the heading of one column. */
const COLUMNS = ['pid=', 'ppid=', 'pgid=', 'stat=', 'rss=', 'lstart=', 'command='];
const ARGUMENTS = [SELECTION, ...COLUMNS.flatMap((column) => ['-o', column])];

const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/;
const patternOf = (name: string) => new RegExp(`(?:^|\\s)${name}=(\\S+)`);
const MARKER = patternOf(RUN_MARKER);

/** macOS and other Unix systems without /proc: asks `ps`. */
export class PsTable implements OsProcessTable {
  /** Times are in whole seconds, and rounded in different ways. */
  readonly tolerance = 2;
  readonly namespace = '';

  async read(): Promise<OsProcess[]> {
    const { stdout } = await promisify(execFile)('ps', ARGUMENTS, options());
    return parse(stdout);
  }

  readSync(): OsProcess[] {
    const { error, stdout } = spawnSync('ps', ARGUMENTS, options());
    return error ? [] : parse(stdout);
  }

  get ownStart(): number {
    return Math.round(Date.now() / 1000 - process.uptime());
  }

  now(): number {
    return Math.round(Date.now() / 1000);
  }

  find(pid: number): number | undefined {
    return this.readSync().find((row) => row.pid === pid)?.start;
  }
}

function options() {
  return { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' } as const;
}

function parse(text: string): OsProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, memory, start, command] = ROW.exec(line) ?? [];
    if (command === undefined || state === undefined || state.startsWith('Z')) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // No column means it on every system. The other signs find the process as well.
      session: 0,
      start: Date.parse(start ?? '') / 1000,
      marker: () => MARKER.exec(command)?.[1],
      variable: (name: string) => patternOf(name).exec(command)?.[1],
      memory: () => Number(memory) * 1024,
    };
  });
}

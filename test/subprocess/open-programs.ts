import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger, SpawnOptions } from '../../core/contract/api';
import type { DriverError } from '../../core/contract/driver-error';
import type { Program } from '../../core/subprocess/program';
import { Programs } from '../../core/subprocess/programs';

export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A folder of its own with programs in it, and the real thing that starts them. */
export class Workshop {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'drivebay programs ')));
  readonly programs: Programs;

  constructor(parts: { environment?: NodeJS.ProcessEnv; hidden?: string[] } = {}) {
    this.programs = new Programs({
      environment: parts.environment ?? process.env,
      hidden: new Set(parts.hidden),
      log: silent,
    });
  }

  /** Writes an executable script and returns its path. */
  script(text: string, interpreter = '/bin/sh', mode = 0o755): string {
    const file = join(this.folder, `tool-${readdirSync(this.folder).length}`);
    writeFileSync(file, `#!${interpreter}\n${text}\n`);
    chmodSync(file, mode);
    return file;
  }

  spawn(command: string, args: readonly string[] = [], options: SpawnOptions = {}): Promise<Program> {
    return this.programs.spawn(command, args, { cwd: this.folder, graceMs: 2_000, ...options });
  }

  /** Runs a shell script. */
  shell(text: string, options: SpawnOptions = {}): Promise<Program> {
    return this.spawn('/bin/sh', ['-c', text], options);
  }

  /** Runs a Node script. */
  node(text: string, options: SpawnOptions = {}): Promise<Program> {
    return this.spawn(process.execPath, ['-e', text], options);
  }

  async close(): Promise<void> {
    await this.programs.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The first line, and the loop is left. */
export async function firstLine(program: Program): Promise<string | undefined> {
  return (await program.lines().next()).value;
}

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** The processes whose command line holds a text. */
export function commandsOf(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}

/** The error a promise fails with. */
export async function failureOf(work: Promise<unknown>): Promise<DriverError> {
  try {
    await work;
  } catch (error) {
    return error as DriverError;
  }
  throw new Error('it was expected to fail');
}

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { basename } from 'node:path';
import type { Logger, SpawnOptions } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { childEnvironment, visibleEnvironment } from './child-environment';
import { stagesOf } from './end-of-run';
import { explainStart } from './explain-start';
import { localProcesses } from './local-processes';
import type { ProcessTable } from './process-table';
import { Program } from './program';

const SAY_AFTER_MS = 1_000;

export interface ProgramsParts {
  /** The environment that programs get, before anything is taken from it; as the first one finds it. */
  environment: NodeJS.ProcessEnv;
  /** Names of variables that are kept from them. */
  hidden: Pick<ReadonlySet<string>, 'has'>;
  log: Logger;
  /** Told of each program before it is started; what it throws is thrown in place of that. */
  beforeStart?: ((program: PlannedProgram) => void) | undefined;
}

/** A program that is about to be started. */
export interface PlannedProgram {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  /** The whole standard input; absent where it is written bit by bit. */
  input?: string | Uint8Array | undefined;
}

/** As a driver says it, with every default filled in. */
export type StartOptions = SpawnOptions & { cwd: string; graceMs: number };

/** The programs of one provider. */
export class Programs {
  /** Each with the signal of the call that it belongs to; without one it is the driver's. */
  private readonly running = new Map<Program, AbortSignal | undefined>();
  private readonly starting = new Map<Promise<Program>, AbortSignal | undefined>();
  private isClosed = false;
  private environment: NodeJS.ProcessEnv | undefined;

  constructor(private readonly parts: ProgramsParts) {}

  async spawn(command: string, args: readonly string[], options: StartOptions): Promise<Program> {
    const start = this.start(command, args, options);
    this.starting.set(start, options.signal);
    try {
      return await start;
    } finally {
      this.starting.delete(start);
    }
  }

  /** Resolves when nothing is left of the programs of a call. Does not end them: its signal does. */
  async ended(signal: AbortSignal): Promise<void> {
    const isIts = ([, owner]: [unknown, AbortSignal | undefined]) => owner === signal;
    await Promise.allSettled([...this.starting].filter(isIts).map(([start]) => start));
    await Promise.all([...this.running].filter(isIts).map(([program]) => program.gone));
  }

  /** Stops every program, and waits until nothing is left of any. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.starting.keys());
    const count = this.running.size;
    const timer = setTimeout(
      () => this.parts.log.info(`waiting for ${count === 1 ? 'a program' : `${count} programs`} to end`),
      SAY_AFTER_MS,
    );
    await Promise.all([...this.running.keys()].map((program) => program.stop()));
    clearTimeout(timer);
  }

  private async start(command: string, args: readonly string[], options: StartOptions): Promise<Program> {
    const { log } = this.parts;
    const { cwd, signal, input, onErrorLine } = options;
    const local = localProcesses();
    const marker = local.nextMarker();
    const env = childEnvironment({
      base: (this.environment ??= visibleEnvironment(this.parts.environment, this.parts.hidden)),
      changes: options.env ?? {},
      defaults: options.envDefaults ?? {},
      command,
      marker,
    });
    this.parts.beforeStart?.({ command, args, cwd, environment: env, input });
    const name = basename(command);
    let started: Started;
    try {
      started = await local.gate.run(
        () => startProcess(command, args, cwd, env, local.table),
        () => this.isUnwanted(signal),
      );
    } catch (error) {
      throw this.isUnwanted(signal) ? this.canceled(name, signal) : await explainStart(command, cwd, error);
    }
    const { child, failed, since } = started;
    if (child.pid === undefined) throw await explainStart(command, cwd, await failed);
    const program = new Program(child.pid, {
      child,
      name,
      marker,
      since,
      stages: stagesOf(options.firstSignal ?? 'SIGTERM', options.graceMs),
      local,
      log,
      input,
      signal,
      onErrorLine,
    });
    this.running.set(program, signal);
    void program.gone.then(() => this.running.delete(program));
    return program;
  }

  private isUnwanted(signal: AbortSignal | undefined): boolean {
    return this.isClosed || signal?.aborted === true;
  }

  private canceled(name: string, signal: AbortSignal | undefined): Error {
    return new DriverError('canceled', `${name} was not started`, { cause: signal?.reason });
  }
}

interface Started {
  child: ChildProcessWithoutNullStreams;
  /** The process is not older, in the unit of the process table. */
  since: number;
  /** Settles with the error of a program that has no pid. */
  failed: Promise<unknown>;
}

function startProcess(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  table: ProcessTable | undefined,
): Started {
  const since = table ? table.now() - table.tolerance : 0;
  // Loaded by the first program: most providers have none.
  const spawn = require('cross-spawn') as typeof import('cross-spawn');
  const child = spawn(command, [...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own can be signalled as a whole. A Ctrl-C in our terminal does not reach it: the first one lets
    // running answers finish.
    detached: process.platform !== 'win32',
    windowsHide: true,
  }) as ChildProcessWithoutNullStreams;
  // Also keeps a later failure from ending the daemon.
  return { child, since, failed: new Promise((resolve) => child.on('error', resolve)) };
}

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { basename } from 'node:path';
import type crossSpawn from 'cross-spawn';
import type { Logger, SpawnOptions } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { currentSpan } from '../contract/work-span';
import { childEnvironment, visibleEnvironment } from './child-environment';
import { depthFor } from './depth';
import { stagesOf } from './end-of-run';
import { explainStart } from './explain-start';
import { localProcesses } from './local-processes';
import type { OsProcessTable } from './os-process-table';
import { Program } from './program';

const SAY_AFTER_MS = 1_000;

interface ProgramsParts {
  /** The environment of programs before variables are hidden, as the first program finds it. */
  environment: NodeJS.ProcessEnv;
  /** Names of variables that programs must not see. They only become more. */
  hidden: Pick<ReadonlySet<string>, 'has' | 'size'>;
  log: Logger;
  /** Called with each program before it is started. Its error is thrown in place of the start. */
  beforeStart?: (program: PlannedProgram) => void;
}

export interface PlannedProgram {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  /** The whole standard input; absent where the driver writes it bit by bit. */
  input?: string | Uint8Array;
}

/** The options of a driver, with every default filled in. */
type StartOptions = SpawnOptions & { cwd: string; graceMs: number };

export class Programs {
  /** Each with the signal of its call; without a signal it is the driver's. */
  private readonly running = new Map<Program, AbortSignal | undefined>();
  private readonly starting = new Map<Promise<Program>, AbortSignal | undefined>();
  private isClosed = false;
  private visible: { environment: NodeJS.ProcessEnv; hidden: number } | undefined;

  constructor(private readonly parts: ProgramsParts) {}

  /** How many have been started and not ended. */
  get count(): number {
    return this.running.size;
  }

  async spawn(command: string, args: readonly string[], options: StartOptions): Promise<Program> {
    const start = this.start(command, args, options);
    this.starting.set(start, options.signal);
    try {
      return await start;
    } finally {
      this.starting.delete(start);
    }
  }

  /** Resolves when nothing is left of the programs of a call. Does not end them: the signal of the call does. */
  async ended(signal: AbortSignal): Promise<void> {
    const isIts = ([, owner]: [unknown, AbortSignal | undefined]) => owner === signal;
    await Promise.allSettled([...this.starting].filter(isIts).map(([start]) => start));
    await Promise.all([...this.running].filter(isIts).map(([program]) => program.gone));
  }

  /** Makes a program of a call one of the driver, which keeps it for further calls. */
  leaveCall(pid: number): void {
    for (const program of this.running.keys()) {
      if (program.pid !== pid) continue;
      program.leaveCall();
      this.running.set(program, undefined);
    }
  }

  /** Resolves when no program runs. Ends none. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.starting.keys());
    await Promise.all([...this.running.keys()].map((program) => program.gone));
  }

  /** Stops every program, and waits until nothing of them is left. */
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

  /** Kept until another variable has to be hidden. */
  private environment(): NodeJS.ProcessEnv {
    const { environment, hidden } = this.parts;
    if (this.visible?.hidden !== hidden.size) {
      this.visible = { environment: visibleEnvironment(environment, hidden), hidden: hidden.size };
    }
    return this.visible.environment;
  }

  private async start(command: string, args: readonly string[], options: StartOptions): Promise<Program> {
    const { cwd, signal, input, onErrorLine } = options;
    const local = localProcesses();
    const marker = local.nextMarker();
    const environment = childEnvironment(this.environment(), options, command, marker, depthFor(signal));
    const planned: PlannedProgram = { command, args, cwd, environment, input };
    this.parts.beforeStart?.(planned);
    const name = basename(command);
    const { default: spawn } = await import('cross-spawn');
    let started: StartedProcess;
    try {
      started = await local.gate.run(() => {
        if (this.isUnwanted(signal)) throw this.canceled(name, signal);
        return startProcess(spawn, planned, local.table);
      });
    } catch (error) {
      throw this.isUnwanted(signal) ? this.canceled(name, signal) : await explainStart(command, cwd, error);
    }
    const { child, failed, since } = started;
    const { pid } = child;
    if (pid === undefined) throw await explainStart(command, cwd, await failed);
    const stages = stagesOf(options.firstSignal ?? 'SIGTERM', options.graceMs);
    const { log } = this.parts;
    const program = new Program({ child, pid, name, marker, since, stages, input, signal, onErrorLine, local, log });
    this.running.set(program, signal);
    const facts = { 'process.executable.name': name, 'process.pid': pid };
    const span = currentSpan()?.child(`program ${name}`, 'internal', facts);
    if (span) void program.gone.then(() => span.end());
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

interface StartedProcess {
  child: ChildProcessWithoutNullStreams;
  /** The process is not older, in the unit of the process table. */
  since: number;
  /** Settles with the error of a program that has no pid. */
  failed: Promise<unknown>;
}

function startProcess(
  spawn: typeof crossSpawn,
  { command, args, cwd, environment }: PlannedProgram,
  table: OsProcessTable | undefined,
): StartedProcess {
  const since = table ? table.now() - table.tolerance : 0;
  const child = spawn(command, [...args], {
    cwd,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own can be signalled as a whole. A Ctrl-C in our terminal does not reach it: the first one lets
    // running answers finish.
    detached: process.platform !== 'win32',
    windowsHide: true,
  }) as ChildProcessWithoutNullStreams;
  // The listener also keeps a later failure from ending the daemon.
  return { child, since, failed: new Promise((resolve) => child.on('error', resolve)) };
}

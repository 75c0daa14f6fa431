import { formatProblem, type Problem } from '../errors';
import type { ProcessEventBody } from '../record/process-event';
import type { Logger, Skill, Workspace } from '../contract/api';
import type { ProcessRecord } from '../record/process-record';
import type { LlmDevice } from '../devices/device';
import { ProcessStopped } from './process-stopped';

/** How many driver calls one process may make, those inside of device calls included. */
const STEP_LIMIT = 50;

export interface RunParts {
  record: ProcessRecord;
  log: Logger;
  /** Fires, with a CallAborted, when somebody ends the process. */
  signal: AbortSignal;
  skills: Skill[];
}

/** What all steps of a process share, those of device calls too. */
export class Run {
  readonly signal: AbortSignal;
  private steps = 0;
  private calls = 0;
  private readonly told = new Set<string>();
  /** Those that were at work for the process itself, by device. */
  private readonly introduced = new Map<LlmDevice, Promise<void>>();
  private readonly trees = new Set<Promise<void>>();

  constructor(private readonly parts: RunParts) {
    this.signal = parts.signal;
  }

  get pid(): number {
    return this.parts.record.pid;
  }

  get log(): Logger {
    return this.parts.log;
  }

  add(event: ProcessEventBody): void {
    this.parts.record.add(event);
  }

  /** Says something to the user, once. */
  warn(problem: Problem): void {
    const message = formatProblem(problem);
    if (this.told.has(message)) return;
    this.told.add(message);
    this.add({ type: 'notice', level: 'warn', message });
  }

  /** A step has its slot: with the first one, the process runs. */
  begin(): void {
    if (this.parts.record.view.state === 'created') this.add({ type: 'running' });
  }

  /** The number of the next step. */
  nextStep(): number {
    if (this.steps < STEP_LIMIT) return ++this.steps;
    throw new ProcessStopped(
      'step_limit',
      `it took ${STEP_LIMIT} steps and came to no end`,
      'say in the intent or in the instructions when the work is done, or split it',
    );
  }

  /** An id that no other tool call of the process has; models give theirs again in each answer. */
  nextCall(): string {
    return `call_${++this.calls}`;
  }

  workspace(first: boolean): Workspace {
    const { workingDirectory, project } = this.parts.record.view;
    return {
      workingDirectory,
      ...(project !== undefined && { directory: project }),
      skills: this.parts.skills.map(({ name, directory }) => ({ name, directory })),
      first,
    };
  }

  /** Shows what the driver of an agent CLI says about itself. Its answer has begun, so it has looked at its program. */
  introduce(device: LlmDevice): void {
    if (device.driverKind !== 'cli' || this.introduced.has(device)) return;
    const done = device.metadata().then((values) => {
      if (Object.keys(values).length > 0) this.add({ type: 'metadata', provider: device.name, values });
    });
    this.introduced.set(device, done);
  }

  async introductions(): Promise<void> {
    await Promise.all(this.introduced.values());
  }

  /** Remembers the programs of a call until nothing of them is left. */
  watchPrograms(device: LlmDevice, signal: AbortSignal): Promise<void> {
    const gone = device.ended(signal);
    this.trees.add(gone);
    void gone.then(() => this.trees.delete(gone));
    return gone;
  }

  /** Resolves when nothing is left of any program that the process started. */
  async programsEnded(): Promise<void> {
    await Promise.all(this.trees);
  }
}

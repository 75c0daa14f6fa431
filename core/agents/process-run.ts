import type { WorkSpan } from '../contract/work-span';
import type { ToolServer } from '../devices/tool-server';
import { formatProblem, hintOf, messageOf, type Problem } from '../errors';
import { defined } from '../fields';
import type { ProcessEventBody } from '../record/process-event';
import type { Skill, Workspace } from '../contract/api';
import type { Redactor } from '../contract/redact';
import type { ProcessRecord } from '../record/process-record';
import type { LlmDevice } from '../devices/device';
import { limitReached } from './failures';

/** How many driver calls one process may make, including those inside of device calls. */
const STEP_LIMIT = 50;

/** The state that all steps of a process share, including the steps of device calls. */
export class ProcessRun {
  private steps = 0;
  private calls = 0;
  private readonly told = new Set<string>();
  /** By device; only devices that worked for the process itself. */
  private readonly introductionOf = new Map<LlmDevice, Promise<void>>();
  private readonly programs = new Set<Promise<void>>();

  constructor(
    private readonly record: ProcessRecord,
    /** Fires with a CallAborted when the process has to end. */
    readonly signal: AbortSignal,
    private readonly skills: Skill[],
    /** How many agents are between a user and this process. */
    readonly depth = 0,
    readonly span?: WorkSpan,
  ) {}

  get pid(): number {
    return this.record.pid;
  }

  get redactor(): Redactor {
    return this.record.redactor;
  }

  add(event: ProcessEventBody): void {
    this.record.add(event);
  }

  warn(problem: Problem): void {
    const message = formatProblem(problem);
    if (this.told.has(message)) return;
    this.told.add(message);
    this.add({ type: 'notice', level: 'warn', message });
  }

  /** A server that cannot be started or asked. The process can do without. */
  leaveOut({ name, path }: ToolServer, error: unknown): void {
    const message = `the tools of ${path} are left out: ${messageOf(error)}`;
    this.warn({ message, hint: hintOf(error) ?? `see: drivebay mcp check ${name}` });
  }

  /** The client of the gateway that it works for. */
  get client(): string | undefined {
    return this.record.view.client;
  }

  get workingDirectory(): string {
    return this.record.view.workingDirectory;
  }

  /** The latest one. */
  get step(): number {
    return this.steps;
  }

  /** A step has its slot. With the first slot the process runs. */
  begin(): void {
    if (this.record.view.state === 'created') this.add({ type: 'running' });
  }

  nextStep(): number {
    if (this.steps < STEP_LIMIT) return ++this.steps;
    throw limitReached(
      'step_limit',
      `it took ${STEP_LIMIT} steps without an end`,
      'say in the intent or in the instructions when the work is done, or split it',
    );
  }

  /** An id that is unique within the process. Models use the same ids again in each answer. */
  nextCall(): string {
    return `call_${++this.calls}`;
  }

  workspace(first: boolean): Workspace {
    const { workingDirectory, project } = this.record.view;
    const skills = this.skills.map(({ name, directory }) => ({ name, directory }));
    return defined({ workingDirectory, directory: project, skills, first });
  }

  /** Records the facts that the driver of an agent CLI tells about itself. Its answer has begun, so it knows its program. */
  introduce(device: LlmDevice): void {
    if (device.driverKind !== 'cli' || this.introductionOf.has(device)) return;
    const done = device.metadata().then((values) => {
      if (Object.keys(values).length > 0) this.add({ type: 'metadata', provider: device.name, values });
    });
    this.introductionOf.set(device, done);
  }

  async introductions(): Promise<void> {
    await Promise.all(this.introductionOf.values());
  }

  /** Counts the programs of a call until none of them is left. */
  watchPrograms(device: LlmDevice, signal: AbortSignal): Promise<void> {
    const gone = device.ended(signal);
    this.awaitEnd(gone);
    return gone;
  }

  /** The same for programs that are no call's. */
  awaitEnd(gone: Promise<void>): void {
    this.programs.add(gone);
    void gone.then(() => this.programs.delete(gone));
  }

  async programsEnded(): Promise<void> {
    await Promise.all(this.programs);
  }
}

export function recordFallback(run: ProcessRun, from: LlmDevice, next: LlmDevice, reason: string): void {
  const { name: to, driver, driverAlias, driverKind } = next;
  run.add({ type: 'fallback', from: from.name, to, reason, driver, driverAlias, driverKind });
}

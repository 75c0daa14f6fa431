import { randomUUID } from 'node:crypto';
import type { EventStream } from './event-stream';
import type { ProcessEnd, ProcessEvent, ProcessOrigin } from './process-event';
import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { AppendFile, warnOnce } from './append-file';
import { followProcess } from './follow-process';
import { ProcessFiles } from './process-files';
import { ProcessRecord } from './process-record';
import { type ProcessSummary, summarize } from './process-summary';
import type { ProcessView } from './process-view';
import { pruneProcesses, RETENTION, type Retention } from './prune-processes';
import {
  allOf,
  type KnownProcesses,
  type LostProcesses,
  readKnown,
  readLost,
  readProcess,
  readProcessEvents,
} from './read-processes';
import { recoverProcesses } from './recover-processes';

export interface StoreOptions {
  state: string;
  /** The name of the daemon that writes. No other daemon, earlier or beside it, has the same name. */
  daemon: string;
  isAlive: (daemon: string) => boolean;
  stream: EventStream;
  redactor: Redactor;
  log: Logger;
  retention?: Retention;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The processes of a daemon and the records of all earlier ones. A disk that fails costs records, but no process. */
export class ProcessStore {
  private readonly files: ProcessFiles;
  private readonly index: AppendFile;
  private readonly failed: (error: unknown) => void;
  /** The processes without an end on disk. */
  private readonly records = new Map<number, ProcessRecord>();
  /** Why the disk did not take all events of a process. */
  private readonly losses = new Map<number, unknown>();
  private lastPid: number | undefined;
  private daily: NodeJS.Timeout | undefined;
  private completing: Promise<boolean> | undefined;

  constructor(private readonly options: StoreOptions) {
    this.files = new ProcessFiles(options.state);
    this.failed = warnOnce(options.log, `records of processes cannot be kept in ${this.files.directory}`);
    this.index = new AppendFile(this.files.index, this.failed);
  }

  /** Completes the records of daemons that are gone and drops old records, now and every day. To be called once. */
  async open(): Promise<void> {
    this.daily = setInterval(() => void this.prune(), DAY_MS).unref();
    await this.complete();
    await this.prune();
  }

  /** Resolves when the system has everything. */
  async close(): Promise<void> {
    clearInterval(this.daily);
    await Promise.all([...this.records.values()].map((record) => record.flush()));
    await this.index.flush();
  }

  create(given: Omit<ProcessOrigin, 'pid' | 'uuid' | 'daemon'>): ProcessRecord {
    const { redactor, daemon, stream } = this.options;
    const head = { seq: 0, time: Date.now(), type: 'created' } as const;
    const origin = redactor.redactData({ uuid: randomUUID(), daemon, ...given });
    const { uuid, project } = origin;
    const { pid, failure } = this.claimPid((each) => ({ ...head, pid: each, ...origin }));
    const created = { ...head, pid, ...origin };
    const publish = (event: ProcessEvent) => void stream.publish({ kind: 'process', pid, uuid, project, event });
    const what = `the record of this run is not kept in ${this.files.directory}, and its usage may not be`;
    const file = new AppendFile(this.files.record(pid), (error) => {
      this.failed(error);
      this.losses.set(pid, error);
      record.noteLoss(what, error);
    });
    if (failure !== undefined) file.append(created);
    const ended = (record: ProcessRecord) => void this.end(record);
    const record = new ProcessRecord(created, file, { redactor, publish, ended });
    this.records.set(pid, record);
    publish(created);
    this.note(record);
    void this.index.flush();
    if (failure !== undefined) record.noteLoss(what, failure);
    return record;
  }

  /** The processes whose end is not on disk yet, those that live among them. With the index they are all processes. */
  unwritten(): ProcessRecord[] {
    return [...this.records.values()];
  }

  /** The events of a process up to now, as they are on disk, where pieces of text are joined. `end`: for a record without. */
  async *events(pid: number, end?: ProcessEnd): AsyncGenerator<ProcessEvent, void> {
    await this.records.get(pid)?.flush();
    yield* readProcessEvents(this.options.state, pid, end);
  }

  /** Why the disk did not take all events of a process of this daemon; undefined where it did. */
  async lossOf(pid: number): Promise<unknown> {
    await this.records.get(pid)?.flush();
    return this.losses.get(pid);
  }

  /** Undefined without a record, and where its beginning is lost. */
  async view(pid: number): Promise<ProcessView | undefined> {
    return this.records.get(pid)?.view ?? (await readProcess(this.options.state, pid))?.view;
  }

  /** The events of this process from a number on, and those to come. Ends after `exit`, or when the signal fires. */
  follow(record: ProcessRecord, from = 0, signal?: AbortSignal): AsyncIterable<ProcessEvent> {
    const recorded = () => this.events(record.pid);
    return followProcess({ stream: this.options.stream, uuid: record.view.uuid, recorded }, from, signal);
  }

  /** Every process with a record, in the order of the pids. */
  async list(): Promise<ProcessSummary[]> {
    const known = this.known();
    return allOf(known, await this.readLost(known));
  }

  /** The same list, as of the call of the function that this returns. */
  async read(): Promise<() => ProcessSummary[]> {
    const lost = await this.readLost(this.known());
    return () => allOf(this.known(), lost);
  }

  /** Reading records takes long, so what the index has lost is written into it again. */
  private async readLost(known: KnownProcesses): Promise<LostProcesses> {
    const lost = await readLost(this.options.state, this.isRunning, known);
    if ([...lost.values()].some(({ end }) => end)) void this.complete();
    return lost;
  }

  private known(): KnownProcesses {
    const own = this.unwritten().map(({ view }) => summarize(view));
    return readKnown(this.options.state, this.isRunning, own);
  }

  private complete(): Promise<boolean> {
    const recover = () => recoverProcesses(this.options.state, this.index, this.isRunning);
    this.completing ??= this.index
      .alone(recover)
      .then(() => this.index.flush())
      .finally(() => (this.completing = undefined));
    return this.completing;
  }

  private async end(record: ProcessRecord): Promise<void> {
    await record.flush();
    this.note(record);
    // Without its line in the index the process would seem to run, so then it stays here.
    if (await this.index.flush()) this.records.delete(record.pid);
  }

  private note({ view }: ProcessRecord): void {
    this.index.append(summarize(view));
  }

  private claimPid(first: (pid: number) => ProcessEvent): { pid: number; failure?: unknown } {
    try {
      this.lastPid ??= this.files.pids().at(-1) ?? 0;
      while (!this.files.claim(++this.lastPid, first(this.lastPid)));
      return { pid: this.lastPid };
    } catch (error) {
      this.failed(error);
      return { pid: (this.lastPid ??= 1), failure: error };
    }
  }

  private async prune(): Promise<void> {
    await this.index.alone(() => pruneProcesses(this.files, this.options.retention ?? RETENTION));
  }

  private readonly isRunning = (daemon: string): boolean =>
    daemon === this.options.daemon || this.options.isAlive(daemon);
}

import type { AgentProcess } from '../../agents/agent-process';
import type { AgentProject } from '../../agents/agent-project';
import { ComposeTable } from '../../agents/compose/compose-table';
import { AgentTable } from '../../agents/agent-table';
import type { SpawnRequest } from '../../agents/spawn-request';
import type { ProcessEnd, ProcessEvent } from '../../record/process-event';
import type { ProcessRecord } from '../../record/process-record';
import { ProcessStore, type StoreOptions } from '../../record/process-store';
import { type ProcessSummary, summarize } from '../../record/process-summary';
import type { ProcessView } from '../../record/process-view';
import { readProcess, readProcessEvents } from '../../record/read-processes';
import { HttpError } from '../../serving/http-error';
import { isDaemonAlive } from '../socket/pid-file';

/** A pid, as a number or in digits, or a uuid. */
type ProcessId = number | string;

/** A process with a record, whether or not it still runs. */
interface RecordedProcess {
  pid: number;
  /** Set while the record is not wholly on disk. */
  record?: ProcessRecord;
  end?: ProcessEnd;
  events: AsyncIterable<ProcessEvent>;
}

/** The agent processes of a daemon: those that run, and the records of all others. */
export class Agents {
  readonly compose: ComposeTable;
  private readonly store: ProcessStore;
  private readonly table: AgentTable;

  private constructor(private readonly options: StoreOptions) {
    const { log } = options;
    this.store = new ProcessStore(options);
    this.table = new AgentTable({ store: this.store, log });
    this.compose = new ComposeTable(this.table);
  }

  static async open(options: Omit<StoreOptions, 'isAlive'>): Promise<Agents> {
    const agents = new Agents({ ...options, isAlive: isDaemonAlive });
    await agents.store.open();
    return agents;
  }

  /** Throws a ConfigError or a UsageError before anything is created. */
  start(project: AgentProject, request: SpawnRequest): AgentProcess {
    return this.table.spawn(project, request);
  }

  /** Every process with a record, in the order of the pids. */
  list(): ProcessSummary[] {
    return this.store.list();
  }

  running(): ProcessSummary[] {
    return this.store.running().map(({ view }) => summarize(view));
  }

  /** The processes that run, and those whose end is not on disk yet. */
  unwritten(): ProcessSummary[] {
    return this.store.unwritten().map(({ view }) => summarize(view));
  }

  async view(id: ProcessId): Promise<ProcessView> {
    const living = this.table.find(id);
    if (living) return living.view;
    const { pid, record } = this.recorded(id);
    const view = record?.view ?? (await readProcess(this.options.state, pid))?.view;
    if (!view) throw noProcess(id);
    return view;
  }

  /** The same when the process has ended. */
  async ended(id: ProcessId): Promise<ProcessView> {
    const living = this.table.find(id);
    await living?.ended;
    return living?.view ?? this.view(id);
  }

  /** The events from a number on: those up to now, or with `follow` until the process ends or the signal fires. */
  events(
    id: ProcessId,
    { from, follow, signal }: { from: number; follow: boolean; signal: AbortSignal },
  ): AsyncIterable<ProcessEvent> {
    const living = follow ? this.table.find(id) : undefined;
    return living ? living.events(from, signal) : eventsFrom(this.recorded(id).events, from);
  }

  recorded(id: ProcessId): RecordedProcess {
    const isWanted = ({ pid, uuid }: Pick<ProcessSummary, 'pid' | 'uuid'>) => String(pid) === String(id) || uuid === id;
    const record = this.store.unwritten().find(({ view }) => isWanted(view));
    if (record) return { pid: record.pid, record, events: this.store.events(record) };
    const known = this.list().find(isWanted);
    if (!known) throw noProcess(id);
    return { pid: known.pid, end: known.end, events: readProcessEvents(this.options.state, known.pid) };
  }

  /** Ends a process and every program that it started. Does not wait for them. */
  async kill(id: ProcessId): Promise<{ pid: number; uuid: string }> {
    const living = this.table.find(id);
    if (!living) {
      const { pid, end } = await this.view(id);
      const reason = end ? `has ended already (${end.state})` : 'belongs to another daemon';
      throw new HttpError(409, 'not_running', `process ${pid} ${reason}`);
    }
    living.kill('killed');
    const { pid, uuid } = living.view;
    return { pid, uuid };
  }

  /** How many processes run, and how many are not on disk yet. */
  count(): { processes: number; unwritten: number } {
    return { processes: this.table.list().length, unwritten: this.store.unwritten().length };
  }

  /** Ends all processes. Compose runs end first, so that they start no further process. */
  async endAll(): Promise<void> {
    await Promise.all([this.compose.close(), this.table.close()]);
  }

  /** Resolves when every record is on disk. */
  close(): Promise<void> {
    return this.store.close();
  }
}

async function* eventsFrom(events: AsyncIterable<ProcessEvent>, from: number): AsyncGenerator<ProcessEvent, void> {
  for await (const event of events) if (event.seq >= from) yield event;
}

function noProcess(id: ProcessId): HttpError {
  return new HttpError(404, 'no_process', `there is no process ${id}`, { hint: 'see: drivebay ps -a' });
}

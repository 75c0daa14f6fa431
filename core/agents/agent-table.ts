import { UsageError } from '../errors';
import type { ProcessEnd, ProcessEvent } from '../record/process-event';
import { type ProcessSummary, summarize } from '../record/process-summary';
import type { ProcessView } from '../record/process-view';
import { HttpError } from '../serving/http-error';
import { AgentProcess, type ProcessParts } from './agent-process';
import type { AgentProject } from './agent-project';
import { ComposeTable } from './compose/compose-table';
import { type EarlierProcess, recallProcess } from './earlier-process';
import { planProcess } from './plan';
import type { SpawnRequest } from './spawn-request';

type ProcessId = number | string;

/** Processes of one client of the gateway that live at the same time. */
const MOST_OF_CLIENT = 16;

/** The agent processes of a daemon: those that live, and the records of all others. */
export class AgentTable {
  readonly compose = new ComposeTable((project, request) => this.spawn(project, request));
  private readonly living = new Map<number, AgentProcess>();
  /** The processes that have a program left, including some that have ended. */
  private readonly remaining = new Set<AgentProcess>();
  private isClosed = false;

  constructor(private readonly parts: ProcessParts) {}

  /** As `spawn`; first the process that the request continues is read. */
  async start(project: AgentProject, request: SpawnRequest): Promise<AgentProcess> {
    const { continues } = request;
    if (continues === undefined) return this.spawn(project, request);
    const earlier = await recallProcess(this.parts.store, await this.recorded(continues));
    const read = await this.read();
    // A process that went on there may have left anything in it. Nothing waits from here on: another one may be about to.
    const isUsed = earlier.session && read().some((each) => each.continues === earlier.view.pid);
    return this.spawn(project, request, isUsed ? { ...earlier, session: undefined } : earlier);
  }

  /** Creates, records and starts a process. Throws a ConfigError or a UsageError before anything is created. */
  spawn(project: AgentProject, request: SpawnRequest, earlier?: EarlierProcess): AgentProcess {
    const plan = planProcess(project, request, earlier);
    if (this.isClosed) throw new UsageError('the daemon is being stopped', 'try again');
    this.requireRoom(request.client);
    const record = this.parts.store.create(plan.origin);
    const process = new AgentProcess(plan, { ...this.parts, record });
    this.living.set(record.pid, process);
    this.remaining.add(process);
    void process.ended.then(() => this.living.delete(record.pid));
    void process.gone.then(() => this.remaining.delete(process));
    return process;
  }

  /** A client that waits for none of its processes could begin them without end. */
  private requireRoom(client: string | undefined): void {
    if (client === undefined) return;
    const own = [...this.living.values()].filter(({ view }) => view.client === client);
    if (own.length < MOST_OF_CLIENT) return;
    throw new UsageError(
      `client "${client}" has ${MOST_OF_CLIENT} agents running, and no more can run at the same time`,
      'try again when one of them has ended',
    );
  }

  /** A living process. */
  find(id: ProcessId): AgentProcess | undefined {
    return this.living.get(Number(id)) ?? [...this.living.values()].find(({ view }) => view.uuid === id);
  }

  /** Every process with a record, in the order of the pids. */
  list(): Promise<ProcessSummary[]> {
    return this.parts.store.list();
  }

  /** The same list, as of the call of the function that this returns. */
  read(): Promise<() => ProcessSummary[]> {
    return this.parts.store.read();
  }

  /** The living processes; with `unwritten` also those whose end is not on disk yet. */
  current({ unwritten }: { unwritten: boolean }): ProcessSummary[] {
    const records = this.parts.store.unwritten();
    return records.filter(({ view }) => unwritten || !view.end).map(({ view }) => summarize(view));
  }

  /** A process with its events up to now, whether or not it still lives. Throws where there is none. */
  async recorded(id: ProcessId): Promise<{ pid: number; end?: ProcessEnd; events: AsyncIterable<ProcessEvent> }> {
    const isWanted = ({ pid, uuid }: Pick<ProcessSummary, 'pid' | 'uuid'>) => String(pid) === String(id) || uuid === id;
    const { store } = this.parts;
    const found = store.unwritten().find(({ view }) => isWanted(view))?.view ?? (await store.list()).find(isWanted);
    if (!found) throw noProcess(id);
    const { pid, end } = found;
    return { pid, end, events: store.events(pid, end) };
  }

  async view(id: ProcessId): Promise<ProcessView> {
    const view = await this.parts.store.view((await this.recorded(id)).pid);
    if (!view) throw noProcess(id);
    return view;
  }

  /** The same when the process has ended. */
  async ended(id: ProcessId): Promise<ProcessView> {
    await this.find(id)?.ended;
    return this.view(id);
  }

  /** The events from a number on: those up to now, or with `follow` until the process ends or the signal fires. */
  async events(
    id: ProcessId,
    { from, follow, signal }: { from: number; follow: boolean; signal: AbortSignal },
  ): Promise<AsyncIterable<ProcessEvent>> {
    const living = follow ? this.find(id) : undefined;
    return living ? living.events(from, signal) : eventsFrom((await this.recorded(id)).events, from);
  }

  /** Ends a process and every program that it started. Does not wait for them. */
  async kill(id: ProcessId): Promise<{ pid: number; uuid: string }> {
    const living = this.find(id);
    if (!living) {
      const { pid, end } = await this.view(id);
      const reason = end ? `has ended already (${end.state})` : 'belongs to another daemon';
      throw new HttpError(409, 'not_running', `process ${pid} ${reason}`);
    }
    living.kill('killed');
    const { pid, uuid } = living.view;
    return { pid, uuid };
  }

  /** How many processes live, and how many are not on disk yet. */
  count(): { processes: number; unwritten: number } {
    return { processes: this.living.size, unwritten: this.parts.store.unwritten().length };
  }

  /**
   * Ends all processes and waits until no program of theirs is left, and every record is on disk. Compose runs end first,
   * so that they start no further process.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    const runs = this.compose.close();
    for (const process of this.living.values()) process.kill('shutdown');
    await Promise.all([runs, ...[...this.remaining].map(({ gone }) => gone)]);
    await this.parts.store.close();
  }
}

async function* eventsFrom(events: AsyncIterable<ProcessEvent>, from: number): AsyncGenerator<ProcessEvent, void> {
  for await (const event of events) if (event.seq >= from) yield event;
}

function noProcess(id: ProcessId): HttpError {
  return new HttpError(404, 'no_process', `there is no process ${id}`, { hint: 'see: drivebay ps -a' });
}

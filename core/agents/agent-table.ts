import { UsageError } from '../errors';
import type { ProcessView } from '../record/process-view';
import type { Logger } from '../contract/api';
import type { ProcessStore } from '../record/process-store';
import { AgentProcess } from './agent-process';
import type { AgentProject } from './agent-project';
import { planProcess } from './plan';
import type { SpawnRequest } from './spawn-request';

/** The living agent processes of a daemon. */
export class AgentTable {
  private readonly processes = new Map<number, AgentProcess>();
  /** The processes that have a program left, including some that have ended. */
  private readonly remaining = new Set<AgentProcess>();
  private isClosed = false;

  constructor(private readonly parts: { store: ProcessStore; log: Logger }) {}

  /** Creates, records and starts a process. Throws a ConfigError or a UsageError before anything is created. */
  spawn(project: AgentProject, request: SpawnRequest): AgentProcess {
    const plan = planProcess(project, request);
    if (this.isClosed) throw new UsageError('the daemon is being stopped', 'try again');
    const record = this.parts.store.create(plan.origin);
    const process = new AgentProcess(plan, { ...this.parts, record });
    this.processes.set(record.pid, process);
    this.remaining.add(process);
    void process.ended.then(() => this.processes.delete(record.pid));
    void process.gone.then(() => this.remaining.delete(process));
    return process;
  }

  /** A living process, by its pid or its uuid. */
  find(id: number | string): AgentProcess | undefined {
    return this.processes.get(Number(id)) ?? [...this.processes.values()].find(({ view }) => view.uuid === id);
  }

  /** The living processes, in the order of their pids. */
  list(): ProcessView[] {
    return [...this.processes.values()].map(({ view }) => view);
  }

  /** Ends all processes and waits until no program of theirs is left, and nothing is left to be written. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const process of this.processes.values()) process.kill('shutdown');
    await Promise.all([...this.remaining].map(({ gone }) => gone));
  }
}

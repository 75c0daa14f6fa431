import type { EventStream } from '../events/event-stream';
import type { ProcessView } from '../events/process-view';
import type { Logger } from '../plugins/api';
import type { Redactor } from '../redact';
import type { ProcessStore } from '../state/process-store';
import type { AgentProcess } from './agent-process';
import type { AgentProject } from './agent-project';
import type { SpawnRequest } from './spawn-request';

export interface ProcessTableParts {
  store: ProcessStore;
  stream: EventStream;
  log: Logger;
  redactor: Redactor;
}

/** The living agent processes of a daemon. */
export class ProcessTable {
  private readonly processes = new Map<number, AgentProcess>();

  constructor(private readonly parts: ProcessTableParts) {}

  /**
   * Validates first: throws a ConfigError or a UsageError with nothing created. Then creates, records and starts the
   * process.
   */
  spawn(_project: AgentProject, _request: SpawnRequest): Promise<AgentProcess> {
    return Promise.reject(new Error(`no process yet, ${Object.keys(this.parts).length}`));
  }

  /** A living process, by its pid or its uuid. */
  find(id: number | string): AgentProcess | undefined {
    return [...this.processes.values()].find(({ view }) => view.pid === id || view.uuid === id);
  }

  /** The living ones, in the order of their pids. */
  list(): ProcessView[] {
    return [...this.processes.values()].map(({ view }) => view);
  }

  /** Ends all (reason `shutdown`) and waits until nothing of them is left. */
  async close(): Promise<void> {
    for (const process of this.processes.values()) process.kill('shutdown');
    await Promise.all([...this.processes.values()].map(({ ended }) => ended));
  }
}

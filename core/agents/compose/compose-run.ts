import { formatProblem, messageOf } from '../../errors';
import { EventTail } from '../../record/event-tail';
import type { AgentProcess } from '../agent-process';
import type { AgentProject } from '../agent-project';
import type { KillReason } from '../process-end';
import type { SpawnRequest } from '../spawn-request';
import { type ComposeAgent, type ComposeFile, fillIn } from './compose-file';
import type { ComposeAgentView, ComposeEvent, ComposeView } from './compose-event';
import { requestFor } from './compose-request';

/** Starts a process. Throws a ConfigError or a UsageError. */
export type SpawnProcess = (project: AgentProject, request: SpawnRequest) => AgentProcess;

interface ComposeParts {
  spawn: SpawnProcess;
  project: AgentProject;
  file: ComposeFile;
  name: string;
  workingDirectory: string;
  /** How many agents are between a user and the run. */
  depth?: number;
}

/** One run of a compose file: each agent begins when those that it needs are done. */
export class ComposeRun {
  readonly view: ComposeView;
  /** Settles when the last agent has ended. Never rejects. */
  readonly ended: Promise<void>;
  private readonly answers = new Map<string, string>();
  private readonly processes = new Set<AgentProcess>();
  private readonly history = new EventTail<ComposeEvent>();
  private stopped: KillReason | undefined;

  constructor(private readonly parts: ComposeParts) {
    const { name, file } = parts;
    const agents = file.agents.map(({ name: agent, needs }) => ({ agent, needs, state: 'waiting' as const }));
    this.view = { name, file: file.file, startedAt: Date.now(), agents };
    for (const warning of file.warnings) this.history.add({ type: 'notice', message: formatProblem(warning) });
    for (const agent of agents) this.history.add({ type: 'agent', ...agent });
    this.ended = this.complete();
  }

  /** All events, and those to come. Ends after `end`. */
  async *events(): AsyncGenerator<ComposeEvent, void> {
    for await (const batch of this.history.follow(0)) {
      for (const event of batch) {
        if (!('type' in event)) continue;
        yield event;
        if (event.type === 'end') return;
      }
    }
  }

  down(reason: KillReason = 'killed'): void {
    this.stopped ??= reason;
    for (const process of this.processes) process.kill(reason);
  }

  private async complete(): Promise<void> {
    const started = new Map<string, Promise<void>>();
    const start = (agent: ComposeAgent): Promise<void> => {
      const known = started.get(agent.name);
      if (known) return known;
      const needed = this.parts.file.agents.filter(({ name }) => agent.needs.includes(name));
      const own = Promise.all(needed.map(start)).then(() => this.runAgent(agent));
      started.set(agent.name, own);
      return own;
    };
    await Promise.all(this.parts.file.agents.map(start));
    const isGood = this.view.agents.every(({ state }) => state === 'done');
    this.view.state = isGood ? 'done' : this.stopped ? 'killed' : 'failed';
    this.history.add({ type: 'end', state: this.view.state });
  }

  private async runAgent(agent: ComposeAgent): Promise<void> {
    const missing = agent.needs.map((need) => this.viewOf(need)).find(({ state }) => state !== 'done');
    if (this.stopped) return this.change(agent, { state: 'skipped', message: 'the run was stopped' });
    if (missing) {
      const message = `it needs "${missing.agent}", which is ${missing.state}`;
      return this.change(agent, { state: 'skipped', message });
    }
    const { spawn, project, depth } = this.parts;
    let process: AgentProcess;
    try {
      const intent = fillIn(agent.intent, this.answers);
      process = spawn(project, { ...requestFor(agent, this.parts), intent, depth });
    } catch (error) {
      return this.change(agent, { state: 'failed', message: messageOf(error) });
    }
    this.processes.add(process);
    if (this.stopped) process.kill(this.stopped);
    this.change(agent, { state: 'running', pid: process.view.pid });
    const { state, message, hint } = await process.ended;
    this.processes.delete(process);
    this.answers.set(agent.name, process.answer ?? '');
    this.change(agent, { state, message: message && formatProblem({ message, hint }) });
  }

  private viewOf(name: string): ComposeAgentView {
    return this.view.agents.find(({ agent }) => agent === name)!;
  }

  private change({ name }: ComposeAgent, change: Pick<ComposeAgentView, 'state' | 'pid' | 'message'>): void {
    const view = Object.assign(this.viewOf(name), change);
    this.history.add({ type: 'agent', ...view });
  }
}

import { dirname, resolve } from 'node:path';
import { formatProblem, messageOf } from '../../errors';
import type { AgentProcess, KillReason } from '../agent-process';
import type { AgentProject } from '../agent-project';
import type { ProcessTable } from '../process-table';
import type { SpawnRequest } from '../spawn-request';
import type { ComposeAgent, ComposeFile } from './compose-file';
import { fillIn } from './references';

/** `skipped`: it never began, because another one it needs came to no good end, or because the run was stopped. */
export type ComposeState = 'waiting' | 'running' | 'done' | 'failed' | 'killed' | 'skipped';

/** An agent of a run as it is now. */
export interface ComposeAgentView {
  agent: string;
  needs: string[];
  state: ComposeState;
  /** From `running` on. */
  pid?: number;
  /** Why it failed or never began. */
  message?: string;
}

export type ComposeEvent =
  | ({ type: 'agent' } & ComposeAgentView)
  /** For the user: what deserves attention in the file. */
  | { type: 'notice'; message: string }
  /** The last one. Good when every agent is done. */
  | { type: 'end'; state: 'done' | 'failed' | 'killed' };

export interface ComposeView {
  name: string;
  file: string;
  startedAt: number;
  agents: ComposeAgentView[];
  /** Absent while it runs. */
  state?: 'done' | 'failed' | 'killed';
}

export interface ComposeParts {
  table: ProcessTable;
  project: AgentProject;
  file: ComposeFile;
  name: string;
  workingDirectory: string;
}

/** What a process of an agent is asked for; paths in the file begin at its folder. */
export function requestFor(
  agent: ComposeAgent,
  { file, name, workingDirectory }: Omit<ComposeParts, 'table' | 'project'>,
): SpawnRequest {
  const folder = dirname(file.file);
  return {
    intent: agent.intent,
    workingDirectory,
    provider: agent.provider,
    model: agent.model,
    effort: agent.reasoning_effort,
    skills: (agent.skills ?? []).map((skill) => (/^\.|\//.test(skill) ? resolve(folder, skill) : skill)),
    name: agent.name,
    compose: name,
    ...(agent.agent !== undefined && { agentFile: resolve(folder, agent.agent) }),
  };
}

/** One run of a compose file: each agent begins when those that it needs are done. */
export class ComposeRun {
  readonly view: ComposeView;
  /** Settles when the last agent has ended. Never rejects. */
  readonly ended: Promise<void>;
  private readonly answers = new Map<string, string>();
  private readonly processes = new Set<AgentProcess>();
  private readonly waiting = new Set<() => void>();
  private readonly history: ComposeEvent[] = [];
  private stopped: KillReason | undefined;

  constructor(private readonly parts: ComposeParts) {
    const { name, file } = parts;
    const agents = file.agents.map(({ name: agent, needs }) => ({ agent, needs, state: 'waiting' as const }));
    this.view = { name, file: file.file, startedAt: Date.now(), agents };
    for (const warning of file.warnings) this.tell({ type: 'notice', message: formatProblem(warning) });
    for (const agent of agents) this.tell({ type: 'agent', ...agent });
    this.ended = this.complete();
  }

  /** What was, then what is to come. Ends after `end`. */
  async *events(): AsyncGenerator<ComposeEvent, void> {
    for (let next = 0; ;) {
      const event = this.history[next];
      if (!event) {
        await new Promise<void>((go) => this.waiting.add(go));
        continue;
      }
      next += 1;
      yield event;
      if (event.type === 'end') return;
    }
  }

  /** Ends what runs, and begins nothing more. */
  down(reason: KillReason = 'killed'): void {
    this.stopped ??= reason;
    for (const process of this.processes) process.kill(reason);
  }

  private async complete(): Promise<void> {
    // Later, so that whoever made the run can watch it from its beginning.
    await Promise.resolve();
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
    this.tell({ type: 'end', state: this.view.state });
  }

  private async runAgent(agent: ComposeAgent): Promise<void> {
    const missing = agent.needs.find((need) => this.stateOf(need) !== 'done');
    if (this.stopped) return this.change(agent, { state: 'skipped', message: 'the run was stopped' });
    if (missing !== undefined) {
      return this.change(agent, {
        state: 'skipped',
        message: `it needs "${missing}", which is ${this.stateOf(missing)}`,
      });
    }
    const { table, project } = this.parts;
    let process: AgentProcess;
    try {
      const intent = fillIn(agent.intent, this.answers);
      process = await table.spawn(project, { ...requestFor(agent, this.parts), intent });
    } catch (error) {
      return this.change(agent, { state: 'failed', message: messageOf(error) });
    }
    this.processes.add(process);
    if (this.stopped) process.kill(this.stopped);
    this.change(agent, { state: 'running', pid: process.view.pid });
    const { state, message } = await process.ended;
    this.processes.delete(process);
    this.answers.set(agent.name, process.answer ?? '');
    this.change(agent, { state, ...(message !== undefined && { message }) });
  }

  private stateOf(agent: string): ComposeState | undefined {
    return this.view.agents.find((view) => view.agent === agent)?.state;
  }

  private change({ name }: ComposeAgent, change: Pick<ComposeAgentView, 'state' | 'pid' | 'message'>): void {
    const view = this.view.agents.find(({ agent }) => agent === name)!;
    Object.assign(view, change);
    this.tell({ type: 'agent', ...view });
  }

  private tell(event: ComposeEvent): void {
    this.history.push(event);
    for (const go of this.waiting) go();
    this.waiting.clear();
  }
}

import { z } from 'zod';
import type { ComposeAgentView, ComposeEvent } from '../agents/compose/compose-event';
import { composeLineSchema, type ComposeLine } from '../daemon/control/compose-schema';
import { type ControlClient, DaemonGoneError } from '../daemon/client/control-client';
import { AnswerOutput } from './answer-output';
import { EXIT } from './exit-codes';
import { FollowedProcess } from './followed-process';
import { LiveLines } from './live-lines';
import { exitCodeOf, onSignal } from './on-signal';
import { printAnswer } from './print';

interface FollowedAgent {
  view: ComposeAgentView;
  process: FollowedProcess;
  /** Settles when the last event of its process is here. */
  followed: Promise<void>;
}

/** A compose run that lives as long as this command: answers go to stdout as agents end, the rest to stderr. */
export class AttachedCompose {
  private readonly agents = new Map<string, FollowedAgent>();
  private readonly leave = new AbortController();
  private readonly output = new AnswerOutput(() => this.end(EXIT.ok));
  private readonly live = new LiveLines(() => this.progress());
  private name: string | undefined;
  private state: Extract<ComposeEvent, { type: 'end' }>['state'] | undefined;
  /** Set when somebody wants the end. */
  private exitCode: number | undefined;

  constructor(
    private readonly client: ControlClient,
    /** `json`: one object on stdout at the end, in place of the answers. */
    private readonly options: { json: boolean },
  ) {}

  /** Resolves with the exit code when nothing of the run is left. */
  async complete(body: object): Promise<number> {
    const forget = onSignal((signal) => this.end(exitCodeOf(signal)));
    const { signal } = this.leave;
    try {
      for await (const line of this.client.stream('POST', '/v1/compose', { body: { ...body, attach: true }, signal })) {
        const { data } = composeLineSchema.safeParse(line);
        if (data) await this.take(data);
      }
    } catch (error) {
      // Whoever has asked for the end does not care what it looks like from here.
      if (this.exitCode === undefined) throw error;
    } finally {
      forget();
      this.live.close();
      this.output.close();
    }
    return this.exitCode ?? this.conclude();
  }

  private async take(line: ComposeLine): Promise<void> {
    switch (line.type) {
      case 'started':
        this.name = line.name;
        break;
      case 'notice':
        this.live.print(`warning: ${line.message}`);
        break;
      case 'agent': {
        const { type: _, ...view } = line;
        await this.change(view);
        break;
      }
      case 'end':
        this.state = line.state;
        break;
      default:
    }
  }

  private async change(view: ComposeAgentView): Promise<void> {
    const known = this.agents.get(view.agent);
    const agent = known ?? { view, process: new FollowedProcess(), followed: Promise.resolve() };
    this.agents.set(view.agent, Object.assign(agent, { view }));
    if (view.state === 'running' && view.pid !== undefined) agent.followed = this.follow(agent, view.pid);
    if (!isOver(view)) {
      // What goes on is in the live lines, where there are any.
      if (view.state === 'running' && !this.live.isLive) this.say(describe(view));
      return;
    }
    // What its process has to say comes before its end.
    await agent.followed;
    this.say(describe(view));
    if (view.state === 'done' && !this.options.json) await this.write(agent);
  }

  private async follow({ view: { agent }, process }: FollowedAgent, pid: number): Promise<void> {
    const options = { query: { follow: true }, signal: this.leave.signal };
    try {
      for await (const line of this.client.stream('GET', `/v1/processes/${pid}/events`, options)) {
        const taken = process.take(line);
        // Who works is in the line that says that it runs.
        if (taken?.report !== undefined && taken.event.type !== 'resolve') this.say(`${agent}: ${taken.report}`);
      }
    } catch {
      // The run's own stream says what happened to the daemon.
    }
  }

  private say(line: string): void {
    if (this.exitCode === undefined) this.live.print(line);
  }

  /** A heading tells the answers apart where there are several. */
  private async write({ view, process }: FollowedAgent): Promise<void> {
    this.live.hide();
    const heading = this.agents.size > 1 ? `# ${view.agent}\n\n` : '';
    await this.output.write(heading + process.answer);
    await this.output.endLine();
    if (heading) await this.output.write('\n');
    this.live.show();
  }

  private progress(): string[] {
    const views = [...this.agents.values()].filter(({ view }) => !isOver(view));
    const width = Math.max(...views.map(({ view }) => view.agent.length));
    return views.map(({ view, process }) => {
      const doing = view.state === 'running' ? process.progress() : describeState(view);
      return `${view.agent.padEnd(width)}  ${doing || view.state}`;
    });
  }

  /** The first time the run is ended, and waited for. The second time the command ends at once. */
  private end(exitCode: number): void {
    const isAgain = this.exitCode !== undefined;
    this.exitCode = exitCode;
    this.output.hurry();
    // A daemon ends the run of a client that goes.
    if (isAgain || this.name === undefined) return this.leave.abort();
    this.client
      .call('POST', `/v1/compose/${encodeURIComponent(this.name)}/down`, z.unknown())
      // It has ended already, or its daemon has: the stream says so.
      .catch(() => undefined);
  }

  private conclude(): number {
    const { name, state } = this;
    if (!state) throw new DaemonGoneError('the daemon has ended', 'see its log: drivebay daemon logs');
    if (this.options.json) {
      const agents = [...this.agents.values()].map(({ view, process }) => ({
        ...view,
        answer: view.state === 'done' ? process.answer : null,
      }));
      printAnswer(JSON.stringify({ name, state, agents }, undefined, 2));
    }
    return state === 'done' ? EXIT.ok : EXIT.failure;
  }
}

function isOver({ state }: ComposeAgentView): boolean {
  return state !== 'waiting' && state !== 'running';
}

function describe(view: ComposeAgentView): string {
  return `${view.agent}: ${describeState(view)}`;
}

function describeState({ state, needs, pid, message }: ComposeAgentView): string {
  if (state === 'waiting') return needs.length > 0 ? `waits for ${needs.join(', ')}` : state;
  const what = state === 'running' ? `running (process ${pid})` : state;
  return message === undefined ? what : `${what}: ${message}`;
}

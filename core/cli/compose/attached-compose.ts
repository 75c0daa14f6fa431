import type { ComposeAgentView, ComposeView } from '../../agents/compose/compose-event';
import type { ComposeLine } from '../../daemon/control/protocol';
import type { ProcessEvent } from '../../record/process-event';
import { Attachment } from '../agents/attachment';
import { ReportedProcess } from '../agents/process-reports';
import { EXIT } from '../exit-codes';
import { printJson } from '../terminal/print';

interface FollowedAgent {
  view: ComposeAgentView;
  process: ReportedProcess;
  /** Settles after the last event of its process. */
  followed: Promise<void>;
}

/** A compose run that lives as long as this command. Answers go to stdout as agents end. */
export class AttachedCompose extends Attachment<ComposeLine> {
  private readonly agents = new Map<string, FollowedAgent>();
  private name: string | undefined;
  private state: ComposeView['state'];

  protected progress(): string[] {
    return describeProgress([...this.agents.values()]);
  }

  protected stopPath(): string | undefined {
    return this.name && `/v1/compose/${encodeURIComponent(this.name)}/down`;
  }

  protected async take(line: ComposeLine): Promise<void> {
    if (line.type === 'started') this.name = line.name;
    if (line.type === 'notice') this.live.print(`warning: ${line.message}`);
    if (line.type === 'end') this.state = line.state;
    if (line.type !== 'agent') return;
    const { type: _, ...view } = line;
    await this.change(view);
  }

  private async change(view: ComposeAgentView): Promise<void> {
    const known = this.agents.get(view.agent);
    const agent = known ?? { view, process: new ReportedProcess(), followed: Promise.resolve() };
    this.agents.set(view.agent, Object.assign(agent, { view }));
    if (view.state === 'running' && view.pid !== undefined) agent.followed = this.followAgent(agent, view.pid);
    if (!isOver(view)) {
      // On a terminal the live lines show it.
      if (view.state === 'running' && !this.live.isLive) this.sayState(view);
      return;
    }
    // The lines of its process come before its end.
    await agent.followed;
    this.sayState(view);
    if (view.state === 'done' && !this.options.json) await this.write(agent);
  }

  private async followAgent({ view: { agent }, process }: FollowedAgent, pid: number): Promise<void> {
    const options = { query: { follow: true }, signal: this.signal };
    try {
      for await (const event of this.client.stream<ProcessEvent>('GET', `/v1/processes/${pid}/events`, options)) {
        const report = process.report(event);
        // The line about the start already names the provider.
        if (report !== undefined && event.type !== 'resolve') this.say(`${agent}: ${report}`);
      }
    } catch {
      // The stream of the run tells what happened to the daemon.
    }
  }

  private sayState(view: ComposeAgentView): void {
    this.say(`${view.agent}: ${describeState(view)}`);
  }

  private say(line: string): void {
    if (!this.isEnding) this.live.print(line);
  }

  /** Where there are several answers, each has a heading. */
  private async write({ view, process }: FollowedAgent): Promise<void> {
    const { output, live } = this;
    live.hide();
    const heading = this.agents.size > 1 ? `# ${view.agent}\n\n` : '';
    await output.write(heading + process.answer);
    await output.endLine();
    if (heading) await output.write('\n');
    live.show();
  }

  protected conclude(): number | undefined {
    const { name, state } = this;
    if (!state) return undefined;
    if (this.options.json) {
      const answerOf = ({ view, process }: FollowedAgent) => (view.state === 'done' ? process.answer : null);
      const agents = [...this.agents.values()].map((agent) => ({ ...agent.view, answer: answerOf(agent) }));
      printJson({ name, state, agents });
    }
    return state === 'done' ? EXIT.ok : EXIT.failure;
  }
}

function isOver({ state }: ComposeAgentView): boolean {
  return state !== 'waiting' && state !== 'running';
}

function describeProgress(agents: readonly FollowedAgent[]): string[] {
  const open = agents.filter(({ view }) => !isOver(view));
  const width = Math.max(...open.map(({ view }) => view.agent.length));
  return open.map(({ view, process }) => {
    const doing = view.state === 'running' ? process.liveLine : describeState(view);
    return `${view.agent.padEnd(width)}  ${doing || view.state}`;
  });
}

function describeState({ state, needs, pid, message }: ComposeAgentView): string {
  if (state === 'waiting') return needs.length > 0 ? `waits for ${needs.join(', ')}` : state;
  const what = state === 'running' ? `running (process ${pid})` : state;
  return message === undefined ? what : `${what}: ${message}`;
}

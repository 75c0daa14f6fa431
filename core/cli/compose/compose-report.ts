import type { ComposeAgentView } from '../../agents/compose/compose-event';
import type { FollowedProcess } from '../agents/followed-process';

export function isOver({ state }: ComposeAgentView): boolean {
  return state !== 'waiting' && state !== 'running';
}

/** The line about the state of an agent. */
export function describeAgent(view: ComposeAgentView): string {
  return `${view.agent}: ${describeState(view)}`;
}

/** The live lines of a run: one for each agent that waits or runs. */
export function describeProgress(agents: readonly { view: ComposeAgentView; process: FollowedProcess }[]): string[] {
  const open = agents.filter(({ view }) => !isOver(view));
  const width = Math.max(...open.map(({ view }) => view.agent.length));
  return open.map(({ view, process }) => {
    const doing = view.state === 'running' ? process.progress() : describeState(view);
    return `${view.agent.padEnd(width)}  ${doing || view.state}`;
  });
}

function describeState({ state, needs, pid, message }: ComposeAgentView): string {
  if (state === 'waiting') return needs.length > 0 ? `waits for ${needs.join(', ')}` : state;
  const what = state === 'running' ? `running (process ${pid})` : state;
  return message === undefined ? what : `${what}: ${message}`;
}

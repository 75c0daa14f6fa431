import type { EndState } from '../../record/process-event';

/** `skipped`: the agent never began, because an agent that it needs is not done, or because the run was stopped. */
type ComposeState = 'waiting' | 'running' | EndState | 'skipped';

export interface ComposeAgentView {
  agent: string;
  needs: string[];
  state: ComposeState;
  /** From `running` on. */
  pid?: number;
  message?: string;
}

export type ComposeEvent =
  | ({ type: 'agent' } & ComposeAgentView)
  | { type: 'notice'; message: string }
  /** The last event. The state is `done` when every agent is done. */
  | { type: 'end'; state: EndState };

export interface ComposeView {
  name: string;
  file: string;
  startedAt: number;
  agents: ComposeAgentView[];
  /** Absent while it runs. */
  state?: EndState;
}

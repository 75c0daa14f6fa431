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

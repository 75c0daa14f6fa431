import type { CliOptions } from '../_shared/cli/cli-run';

export interface Options extends CliOptions {
  command: string;
  extra_args: readonly string[];
  /** Whether a program is kept ready. */
  warm: boolean;
  warm_idle_sec: number;
  /** How many programs are kept ready. */
  warm_max: number;
  /** Whether chats may have tools of the client. */
  client_tools: boolean;
}

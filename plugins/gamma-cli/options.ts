import type { CliOptions } from '../_shared/cli/cli-run';
import type { SessionOptions } from '../_shared/cli/own-session';

export interface Options extends CliOptions, SessionOptions {
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

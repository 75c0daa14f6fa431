import type { CliOptions } from '../_shared/cli/cli-run';
import type { SessionOptions } from '../_shared/cli/own-session';

/** The options of the manifest that the driver reads. The effort reaches it as a field of each request. */
export interface Options extends CliOptions, SessionOptions {
  permission_mode: string;
  extra_args: readonly string[];
  /** Whether a program is kept ready. */
  warm: boolean;
  warm_idle_sec: number;
  /** How many programs are kept ready. */
  warm_max: number;
  /** Whether a client's tools are passed on. */
  client_tools: boolean;
}

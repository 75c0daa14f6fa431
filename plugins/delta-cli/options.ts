import type { CliOptions } from '../_shared/cli/cli-run';
import type { SessionOptions } from '../_shared/cli/own-session';

/** The options of the manifest that the driver reads. The effort reaches it as a field of each request. */
export interface Options extends CliOptions, SessionOptions {
  command: string;
  /** Empty means workspace-write. */
  sandbox_mode: '' | SandboxMode;
  extra_args: readonly string[];
  /** Whether clients may have tools and images. */
  client_tools: boolean;
  /** Whether a program is kept for further chats. */
  warm: boolean;
  warm_idle_sec: number;
  /** 0: none is kept. */
  warm_max: number;
}

type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

export function sandboxMode({ sandbox_mode }: Options): SandboxMode {
  return sandbox_mode || 'workspace-write';
}

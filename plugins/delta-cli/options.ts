import type { KeepingOptions } from '../_shared/cli/cli-run';

/** The options of the manifest that the driver reads. */
export interface Options extends KeepingOptions {
  command: string;
  /** Empty means workspace-write. */
  sandbox_mode: '' | SandboxMode;
}

type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

export function sandboxMode({ sandbox_mode }: Options): SandboxMode {
  return sandbox_mode || 'workspace-write';
}

import type { KeepingOptions } from '../_shared/cli/cli-run';

/** The options of the manifest that the driver reads. */
export interface Options extends KeepingOptions {
  permission_mode: string;
}

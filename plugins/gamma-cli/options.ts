import type { CliOptions } from '../_shared/cli/cli-run';

/** The options of the manifest that the driver reads. */
export interface Options extends CliOptions {
  command: string;
  extra_args: readonly string[];
}

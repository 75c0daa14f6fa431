import type { CliOptions } from '../_shared/cli/cli-run';

export interface Options extends CliOptions {
  command: string;
  extra_args: readonly string[];
}

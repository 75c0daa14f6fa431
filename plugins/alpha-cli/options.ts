import type { CliOptions } from '../_shared/cli/cli-run';

/** The options of the manifest. The effort reaches the driver as a field of each request, core reads `grace_sec`. */
export interface Options extends CliOptions {
  permission_mode: string;
  extra_args: string[];
  gateway_tools: boolean;
}

import type { CliOptions } from '../_shared/cli/cli-run';

/** The options of the manifest. Without `command` it is `agent`, then `cursor-agent`. */
export interface Options extends CliOptions {
  gateway_tools: boolean;
}

import type { KeepingOptions } from '../_shared/cli/cli-run';

export interface Options extends KeepingOptions {
  command: string;
}

import createDriver from '../../../plugins/delta-cli';
import type { Options } from '../../../plugins/delta-cli/options';
import { harnessOf } from '../cli-harness';

export const DEFAULTS: Options & { grace_sec: number } = {
  command: 'codex',
  sandbox_mode: 'workspace-write',
  extra_args: [],
  gateway_tools: false,
  grace_sec: 1,
};

export const start = harnessOf({ driver: 'delta-cli', createDriver, defaults: DEFAULTS, program: 'codex' });

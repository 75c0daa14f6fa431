import type { CliRunRecord } from 'drivebay/testing';
import createDriver from '../../../plugins/alpha-cli';
import type { Options } from '../../../plugins/alpha-cli/environment';
import { harnessOf, WARM } from '../cli-harness';
import { HELP } from './help';
import { init, result, said } from './lines';

/** `grace_sec` is core's. */
export const DEFAULTS: Options & { grace_sec: number } = {
  grace_sec: 1,
  permission_mode: 'bypassPermissions',
  extra_args: [],
  gateway_tools: false,
  warm: WARM,
  warm_idle_sec: 300,
  warm_max: 1,
  client_tools: true,
  keep_sessions: true,
};

export const isHelp = ({ argv }: CliRunRecord) => argv.join(' ') === '-p --help';

export const start = harnessOf({
  ...{ driver: 'alpha-cli', createDriver, defaults: DEFAULTS, program: 'claude' },
  answer: [init(), said('Hello'), result('Hello')],
  probe: (run) => (isHelp(run) ? [HELP] : undefined),
});

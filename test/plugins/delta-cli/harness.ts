import createDriver from '../../../plugins/delta-cli';
import type { Options } from '../../../plugins/delta-cli/options';
import { harnessOf, WARM } from '../cli-harness';

export const DEFAULTS: Options & { grace_sec: number } = {
  command: 'codex',
  sandbox_mode: 'workspace-write',
  extra_args: [],
  gateway_tools: false,
  client_tools: true,
  keep_sessions: true,
  warm: WARM,
  warm_idle_sec: 300,
  warm_max: 1,
  grace_sec: 1,
};

export const HELLO = [
  { type: 'item.completed', item: { type: 'agent_message', text: 'Hello' } },
  { type: 'turn.completed', usage: {} },
];

export const start = harnessOf({
  ...{ driver: 'delta-cli', createDriver, defaults: DEFAULTS, program: 'codex' },
  answer: HELLO,
});

import createDriver from '../../../plugins/gamma-cli';
import type { Options } from '../../../plugins/gamma-cli/environment';
import { harnessOf, WARM } from '../cli-harness';

export const DEFAULTS: Options & { grace_sec: number } = {
  command: 'gemini',
  extra_args: [],
  gateway_tools: false,
  keep_sessions: true,
  warm: WARM,
  warm_idle_sec: 300,
  warm_max: 1,
  client_tools: true,
  grace_sec: 1,
};

export const HELLO = [
  { type: 'message', role: 'assistant', content: 'Hello', delta: true },
  { type: 'result', status: 'success', stats: {} },
];

export const start = harnessOf({
  ...{ driver: 'gamma-cli', createDriver, defaults: DEFAULTS, program: 'gemini' },
  answer: HELLO,
});

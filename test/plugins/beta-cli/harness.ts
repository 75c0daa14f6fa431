import createDriver from '../../../plugins/beta-cli';
import { harnessOf } from '../cli-harness';
import { init, piece, result, whole } from './lines';

export const HELLO = [init(), piece('Hello'), whole('Hello'), result('Hello')];

export const start = harnessOf({
  driver: 'beta-cli',
  createDriver,
  defaults: { gateway_tools: false, keep_sessions: true },
  answer: HELLO,
});

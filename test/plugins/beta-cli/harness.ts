import createDriver from '../../../plugins/beta-cli';
import type { Options } from '../../../plugins/beta-cli/options';
import { harnessOf } from '../cli-harness';

const defaults: Options = { gateway_tools: false };

export const start = harnessOf({ driver: 'beta-cli', createDriver, defaults });

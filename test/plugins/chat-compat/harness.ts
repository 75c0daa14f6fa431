import createDriver from '../../../plugins/chat-compat';
import type { Options } from '../../../plugins/chat-compat/options';
import { DriverHarness } from '../harness';

export { chatRequest, newCall } from '../harness';

export type Harness = DriverHarness;
export const Harness = {
  start: (options: Partial<Options> = {}, key?: string): Promise<Harness> =>
    DriverHarness.start(createDriver, options, key),
};

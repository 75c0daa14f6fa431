import createDriver from '../../../plugins/chat-compat';
import type { HttpOptions } from '../../../plugins/_shared/http/http-driver';
import { DriverHarness } from '../harness';

export { chatRequest, newCall } from '../harness';

export type Harness = DriverHarness;
export const Harness = {
  start: (options: Partial<HttpOptions> = {}, key?: string): Promise<Harness> =>
    DriverHarness.start(createDriver, options, key),
};

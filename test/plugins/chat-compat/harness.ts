import createDriver from '../../../plugins/chat-compat';
import type { HttpOptions } from '../../../plugins/_shared/http/http-driver';
import { DriverHarness } from '../harness';

export function startChatCompat(options: Partial<HttpOptions> = {}, key?: string): Promise<DriverHarness> {
  return DriverHarness.start(createDriver, options, () => key);
}

import createDriver from '../../../plugins/eta';
import type { HttpOptions } from '../../../plugins/_shared/http/http-driver';
import { DriverHarness } from '../harness';

export { newCall } from '../harness';

/** The driver with the real SDK. The key is set unless it is given as undefined. */
export function startEta(
  options: Partial<HttpOptions> = {},
  key: () => string | undefined = () => 'sk-1',
): Promise<DriverHarness> {
  return DriverHarness.start(createDriver, { api_key_env: 'ANTHROPIC_API_KEY', ...options }, key);
}

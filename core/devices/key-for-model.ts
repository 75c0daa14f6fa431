import { beginsLikeKey } from '../contract/secrets';
import type { DeviceTable } from './device-table';
import type { LlmDevice } from './device';

/**
 * Whether a key stands in the place of a model: providers take any name, and logs, records and ledgers keep names. What the
 * configuration itself names is a model. `further`: other names of it.
 */
export function isKeyForModel(
  requested: string,
  devices: Pick<DeviceTable, 'llms' | 'byPattern'>,
  further: readonly string[] = [],
): boolean {
  if (!beginsLikeKey(requested)) return false;
  const pattern = devices.byPattern(requested);
  const names = [...devices.llms(), ...(pattern ? [pattern] : [])].flatMap(namesOf);
  const isNamed = (name = '') => beginsLikeKey(name) && (name.endsWith('*') || requested.endsWith(name));
  return ![...names, ...further].some(isNamed);
}

function namesOf({ name, defaultModel, embeddingModel, contextWindows }: LlmDevice): (string | undefined)[] {
  return [name, defaultModel, embeddingModel, ...contextWindows.keys()];
}

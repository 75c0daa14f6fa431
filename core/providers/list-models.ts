import { messageOf } from '../errors';
import { callWithin } from './call-within';
import type { Provider } from './provider';

const LIMIT_MS = 5_000;

/** The models that the backend of a provider offers; undefined where it does not say, or cannot be asked. */
export async function listModels(provider: Provider): Promise<string[] | undefined> {
  const { log, redactor } = provider;
  try {
    const names = await callWithin(LIMIT_MS, log, async (call) => (await provider.openDriver()).models?.(call));
    return names && names.length > 0 ? names.map(String) : undefined;
  } catch (error) {
    log.debug(`no models: ${redactor.redact(messageOf(error))}`);
    return undefined;
  }
}

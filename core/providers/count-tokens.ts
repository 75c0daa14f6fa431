import type { ChatRequest } from '../contract/api';
import { messageOf } from '../errors';
import { type AskedProvider, askDriver } from './ask-driver';
import { prepareRequest } from './prepare-request';
import type { ProviderSettings } from './settings';

const COUNT_LIMIT_MS = 5_000;

/** The input tokens of a chat as the backend counts them; undefined where it cannot, or fails to. */
export async function countTokens(
  provider: AskedProvider & ProviderSettings,
  request: ChatRequest,
): Promise<number | undefined> {
  try {
    const prepared = prepareRequest(request, provider).request;
    const count = await askDriver(provider, COUNT_LIMIT_MS, async (driver, call) =>
      driver.countTokens?.(prepared, call),
    );
    return Number.isSafeInteger(count) && count! >= 0 ? count : undefined;
  } catch (error) {
    provider.log.debug(`tokens are estimated: ${provider.redactor.redact(messageOf(error))}`);
    return undefined;
  }
}

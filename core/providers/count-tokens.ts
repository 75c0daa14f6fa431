import { describeFound, JSON_WORDS } from '../config/describe-found';
import type { Call, ChatRequest, Driver } from '../contract/api';
import { messageOf } from '../errors';
import { type AskedProvider, askDriver } from './ask-driver';
import { prepareRequest } from './prepare-request';
import type { ProviderSettings } from './settings';

const COUNT_LIMIT_MS = 5_000;

/** The input tokens of a chat as the backend counts them; undefined where it cannot, or fails to, and after `gone`. */
export async function countTokens(
  provider: AskedProvider & ProviderSettings,
  request: ChatRequest,
  gone: AbortSignal,
): Promise<number | undefined> {
  try {
    const prepared = prepareRequest(request, provider).request;
    const ask = async (driver: Driver, call: Call) => driver.countTokens?.(prepared, call);
    const count = await askDriver(provider, COUNT_LIMIT_MS, ask, '', gone);
    return count === undefined ? undefined : readCount(count);
  } catch (error) {
    provider.log.debug(`tokens are estimated: ${provider.redactor.redact(messageOf(error))}`);
    return undefined;
  }
}

/** A driver may be plain JavaScript. */
export function readCount(count: unknown): number {
  if (Number.isSafeInteger(count) && (count as number) >= 0) return count as number;
  throw new TypeError(
    `its countTokens() has to resolve with a whole number from 0, found ${describeFound(count, JSON_WORDS)}`,
  );
}

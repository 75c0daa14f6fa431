import type { Call, Driver, Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { messageOf } from '../errors';
import { withLimit } from '../plugins/load';
import { CallClock, untilAborted } from './call-clock';

const MODELS_LIMIT_MS = 5_000;
/** A driver may have to look at its program first. */
const METADATA_LIMIT_MS = 10_000;

/** A provider whose driver can be asked about itself. */
export interface AskedProvider {
  readonly log: Logger;
  readonly redactor: Redactor;
  openDriver(): Promise<Driver>;
}

/**
 * Asks a driver about itself or its backend, without the queue and the ledger of a call. Rejects with a `CallAborted`
 * at the limit, whatever the driver does; `hint` says what to do then.
 */
export async function askDriver<T>(
  provider: AskedProvider,
  limitMs: number,
  ask: (driver: Driver, call: Call) => Promise<T>,
  hint = '',
): Promise<T> {
  const clock = new CallClock(limitMs, new AbortController(), () => hint).start(Date.now());
  const { signal, deadline } = clock;
  const { log } = provider;
  const work = async () => {
    const driver = await provider.openDriver();
    signal.throwIfAborted();
    return ask(driver, { id: 'check', signal, deadline, log, trace: (event, fields) => log.debug(event, fields) });
  };
  try {
    return await untilAborted(work(), signal);
  } finally {
    clock.stop();
  }
}

/** The models that the backend offers; undefined where it does not say, or cannot be asked. */
export async function listModels(provider: AskedProvider): Promise<string[] | undefined> {
  try {
    const names = await askDriver(provider, MODELS_LIMIT_MS, async (driver, call) => driver.models?.(call));
    return names && names.length > 0 ? names.map(String) : undefined;
  } catch (error) {
    provider.log.debug(`no models: ${provider.redactor.redact(messageOf(error))}`);
    return undefined;
  }
}

/** What the driver says about itself; empty where it says nothing, or fails to. */
export async function readMetadata(provider: AskedProvider): Promise<Record<string, string>> {
  try {
    const driver = await provider.openDriver();
    if (!driver.metadata) return {};
    const values = await withLimit(driver.metadata(), 'its metadata()', METADATA_LIMIT_MS);
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    provider.log.debug(`no metadata: ${provider.redactor.redact(messageOf(error))}`);
    return {};
  }
}

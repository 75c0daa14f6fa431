import { describeFound, JSON_WORDS } from '../config/describe-found';
import type { Call, CheckResult, Driver, Logger, OfferedModel } from '../contract/api';
import { CallEnd } from '../contract/call-end';
import type { Redactor } from '../contract/redact';
import { messageOf } from '../errors';
import { defined, isFields } from '../fields';
import { withLimit } from '../plugins/load';
import { CallClock, untilAborted } from './call-clock';
import type { ProviderSettings } from './settings';
import { toFailure } from './to-failure';
import type { Users } from './users';

const MODELS_LIMIT_MS = 5_000;
/** A driver may have to look at its program first. */
const METADATA_LIMIT_MS = 10_000;

export interface AskedProvider {
  readonly driver: string;
  readonly log: Logger;
  readonly redactor: Redactor;
  openDriver(): Promise<Driver>;
  readonly users: Pick<Users, 'enter' | 'leave'>;
}

/**
 * Asks a driver about itself or its backend, without the queue and the ledger of a call. Rejects with a `CallAborted`
 * at the limit, whatever the driver does; `hint` says what to do then. `gone` fires when the asker has no use for the
 * answer any more.
 */
export async function askDriver<T>(
  provider: AskedProvider,
  limitMs: number,
  ask: (driver: Driver, call: Call) => Promise<T>,
  hint = '',
  gone?: AbortSignal,
): Promise<T> {
  const end = new CallEnd();
  const clock = new CallClock(limitMs, end, () => hint).start(Date.now());
  const { deadline } = clock;
  const signal = gone ? AbortSignal.any([end.signal, gone]) : end.signal;
  const { log } = provider;
  const work = async () => {
    const driver = await provider.openDriver();
    signal.throwIfAborted();
    return ask(driver, { id: 'check', signal, deadline, log, trace: (event, fields) => log.debug(event, fields) });
  };
  provider.users.enter();
  try {
    return await untilAborted(work(), signal);
  } finally {
    provider.users.leave();
    clock.stop();
  }
}

/**
 * The models that the backend offers; undefined where the driver does not say. A context window of the configuration
 * wins over that of the driver. Rejects with a DriverError.
 */
export async function listModels(
  provider: AskedProvider & Pick<ProviderSettings, 'driverAlias' | 'codeDirectory' | 'contextWindows'>,
): Promise<OfferedModel[] | undefined> {
  try {
    const found = await askDriver(provider, MODELS_LIMIT_MS, async (driver, call) => driver.models?.(call));
    if (found === undefined || (Array.isArray(found) && found.length === 0)) return undefined;
    return readModels(found).map(({ name, contextWindow }) =>
      defined({ name, contextWindow: provider.contextWindows.get(name) ?? contextWindow }),
    );
  } catch (error) {
    throw toFailure(error, provider);
  }
}

/** What the driver says of a good check. A driver may be plain JavaScript. */
export function readCheck(found: unknown): CheckResult {
  if (found === undefined || found === null) return {};
  const { detail, warnings } = isFields(found) ? found : { detail: undefined, warnings: found };
  const isList =
    warnings === undefined || (Array.isArray(warnings) && warnings.every((each) => typeof each === 'string'));
  if (isList && (detail === undefined || typeof detail === 'string')) return { detail, warnings };
  const wrong = describeFound(isList ? detail : warnings, JSON_WORDS);
  throw new TypeError(
    `its check() has to resolve with nothing, or with a text "detail" and texts "warnings", found ${wrong}`,
  );
}

/** The models that a driver offers. A driver may be plain JavaScript. */
export function readModels(found: unknown): OfferedModel[] {
  const entries = Array.isArray(found) ? (found as unknown[]) : [found];
  return entries.map((entry) => {
    const { name, contextWindow } = isFields(entry) ? entry : { name: entry, contextWindow: undefined };
    if (!Array.isArray(found) || typeof name !== 'string' || name === '') {
      const wanted = 'a list of names, or of objects with a name';
      throw new TypeError(`its models() has to resolve with ${wanted}, found ${describeFound(entry, JSON_WORDS)}`);
    }
    if (contextWindow === undefined) return { name };
    if (Number.isSafeInteger(contextWindow) && (contextWindow as number) > 0) {
      return { name, contextWindow: contextWindow as number };
    }
    const wrong = describeFound(contextWindow, JSON_WORDS);
    throw new TypeError(`its models() has to give ${name} a whole number as contextWindow, or none, found ${wrong}`);
  });
}

/** What the driver says about itself; empty where it says nothing, or fails to. */
export async function readMetadata(provider: AskedProvider): Promise<Record<string, string>> {
  try {
    const driver = await provider.openDriver();
    if (!driver.metadata) return {};
    const values = Object.entries(await withLimit(driver.metadata(), 'its metadata()', METADATA_LIMIT_MS));
    const wrong = values.filter(([, value]) => typeof value === 'object').map(([name]) => name);
    if (wrong.length > 0) {
      provider.log.warn(`metadata() of driver "${provider.driver}" has values that are not texts: ${wrong.join(', ')}`);
    }
    const texts = values.filter(([name]) => !wrong.includes(name));
    return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
  } catch (error) {
    provider.log.debug(`no metadata: ${provider.redactor.redact(messageOf(error))}`);
    return {};
  }
}

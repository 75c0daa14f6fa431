import type { CallFacts, LedgerEntry } from '../record/ledger';
import type { Caller, Used } from './caller';
import type { ProviderSettings } from './settings';

/** What was asked. */
type Asked = Pick<CallFacts, 'operation' | 'isStream'> & { readonly model: string | undefined };

/** A call that has ended, for the ledger. `failure`: its kind; absent where there was none. */
export function callEntry(
  { name, account, driver, driverAlias }: ProviderSettings,
  { asker, route }: Caller,
  { operation, isStream, model: asked }: Asked,
  { usage, costUsd, nominalUsd, priced, model = asked, warm, firstMs }: Used,
  askedAt: number,
  failure?: string,
): LedgerEntry & { call: CallFacts } {
  return {
    time: Date.now(),
    provider: name,
    account,
    driver,
    route,
    asker,
    costUsd,
    nominalUsd,
    priced,
    asked: asked === model ? undefined : asked,
    ok: failure === undefined,
    model,
    usage,
    warm,
    call: { operation, driverAlias, isStream, ms: performance.now() - askedAt, firstMs, failure },
  };
}

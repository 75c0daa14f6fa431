import { isLimited, type LimitFields } from '../config/limit-fields';
import { messageOf } from '../errors';
import type { Ledger } from '../record/ledger';
import { ledgerEntries, type UsageEntry } from '../record/usage-summary';
import type { Logger } from '../contract/api';
import type { LimitOwner } from './limit-reached';
import { Limits } from './limits';
import { MINUTE_MS, startOf } from './periods';
import { Tally } from './tally';

interface BookParts {
  state: string;
  ledger: Pick<Ledger, 'flush'>;
  log: Logger;
}

/** What every provider and client has used, restored from the ledger: a restart refills no limit. */
export class LimitBook {
  private readonly tallies = new Map<string, { owner: LimitOwner; tally: Tally }>();
  private fresh: { owner: LimitOwner; tally: Tally }[] = [];
  private reading: Promise<void> | undefined;

  constructor(private readonly parts: BookParts) {}

  /**
   * The limits of a provider or a client; undefined where it has none. `key` names what is counted together: providers
   * of one name may have several accounts.
   */
  of(owner: LimitOwner, fields: LimitFields, key = owner.name): Limits | undefined {
    return isLimited(fields) ? new Limits(owner, fields, this.tallyOf(owner, `${owner.type}:${key}`)) : undefined;
  }

  private tallyOf(owner: LimitOwner, key: string): Tally {
    const known = this.tallies.get(key);
    if (known) return known.tally;
    const made = { owner, tally: new Tally() };
    this.tallies.set(key, made);
    this.fresh.push(made);
    this.reading ??= this.restore();
    made.tally.restoring = this.reading;
    return made.tally;
  }

  /** Those that are made in the same turn of the event loop are restored by one reading. */
  private async restore(): Promise<void> {
    await Promise.resolve();
    const { fresh } = this;
    const { state, ledger, log } = this.parts;
    this.fresh = [];
    this.reading = undefined;
    try {
      await ledger.flush();
      const now = Date.now();
      const from = Math.min(startOf('month', now), now - MINUTE_MS);
      for await (const entry of ledgerEntries(state, { from, to: now + 1 })) {
        const { time, usage, costUsd } = entry;
        const tokens = usage ? usage.inputTokens + usage.outputTokens : 0;
        for (const { owner, tally } of fresh) if (isOf(entry, owner)) tally.restore({ time, tokens, costUsd }, now);
      }
    } catch (error) {
      log.warn(`limits begin at zero, because the usage so far cannot be read: ${messageOf(error)}`);
    }
    for (const { tally } of fresh) tally.restoring = undefined;
  }
}

function isOf(entry: UsageEntry, { name }: LimitOwner): boolean {
  return entry.provider === name;
}

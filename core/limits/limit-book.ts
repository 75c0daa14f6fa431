import { isLimited, type LimitFields } from '../config/limit-fields';
import type { RedisConnection } from '../shared-state/redis-connection';
import type { SharedState } from '../shared-state/shared-state';
import { messageOf } from '../errors';
import type { Ledger } from '../record/ledger';
import { ledgerEntries, type UsageEntry } from '../record/ledger-entries';
import type { Logger } from '../contract/api';
import type { LimitOwner } from './limit-reached';
import { Limits } from './limits';
import { MINUTE_MS, startOf } from './periods';
import { Refusals } from './refusals';
import { Slots } from './slots';
import { type PastTurn, type SharedName, Tally } from './tally';

interface BookParts {
  state: string;
  ledger: Pick<Ledger, 'flush' | 'machine'>;
  log: Logger;
}

/** What limits a client of the gateway. */
export interface ClientAccount {
  readonly limits: Limits | undefined;
  readonly slots: Slots | undefined;
}

export interface LimitedClient {
  name: string;
  limits: LimitFields;
  maxConcurrency?: number;
}

interface Counted {
  key: string;
  owner: LimitOwner;
  account: string | undefined;
  tally: Tally;
  /** What somebody limits. */
  limited: Set<SharedName>;
}

/** What every provider and client has used, restored from the ledger: a restart refills no limit. */
export class LimitBook {
  readonly refusals = new Refusals();
  private readonly tallies = new Map<string, Counted>();
  private readonly accounts = new WeakMap<LimitedClient, ClientAccount | undefined>();
  private readonly slots = new Map<string, Slots>();
  private fresh: Counted[] = [];
  private state: SharedState | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly parts: BookParts) {}

  /**
   * The limits of a provider or a client; undefined where it has none. Providers of one name that have several accounts are
   * counted apart.
   */
  of(owner: LimitOwner, fields: LimitFields, account?: string): Limits | undefined {
    if (!isLimited(fields)) return undefined;
    const counted = this.countedOf(owner, account);
    const limits = new Limits(owner, fields, counted.tally);
    for (const name of limits.limited) counted.limited.add(name);
    if (this.state) counted.tally.share(this.state, counted.key, counted.limited);
    return limits;
  }

  /** The limits of a client of the gateway; undefined where it has none. */
  client(client: LimitedClient): ClientAccount | undefined {
    if (!this.accounts.has(client)) this.accounts.set(client, this.accountOf(client));
    return this.accounts.get(client);
  }

  private accountOf({ name, limits, maxConcurrency }: LimitedClient): ClientAccount | undefined {
    const rates = this.of({ type: 'client', name }, limits);
    const slots = maxConcurrency === undefined ? this.freeSlotsOf(name) : this.slotsOf(name, maxConcurrency);
    return rates || slots ? { limits: rates, slots } : undefined;
  }

  /** A client without a limit needs no slots. Requests that waited under an earlier limit begin. */
  private freeSlotsOf(name: string): undefined {
    this.slots.get(name)?.resize(Infinity);
  }

  /** Those of a client in all gateways. A reload may have another limit for it. */
  private slotsOf(name: string, limit: number): Slots {
    const slots = this.slots.get(name) ?? new Slots(limit, 'client');
    slots.resize(limit);
    this.slots.set(name, slots);
    return slots;
  }

  /** From now on other machines count with this one. */
  shareBy(state: SharedState): void {
    this.state = state;
    // Counted already, as turns without a machine.
    void this.parts.ledger.flush();
    this.parts.ledger.machine = state.machine;
    for (const { key, tally, limited } of this.tallies.values()) {
      tally.join(state);
      tally.share(state, key, limited);
    }
    state.share(this);
  }

  async meet(connection: RedisConnection): Promise<void> {
    await Promise.all([...this.tallies.values()].map(({ tally }) => tally.restoring ?? tally.meet(connection)));
  }

  private countedOf(owner: LimitOwner, account: string | undefined): Counted {
    const key = `${owner.type}:${owner.name}${account === undefined ? '' : `@${account}`}`;
    const known = this.tallies.get(key);
    if (known) return known;
    const made: Counted = { key, owner, account, tally: new Tally(), limited: new Set() };
    this.tallies.set(key, made);
    if (this.state) made.tally.join(this.state);
    this.fresh.push(made);
    this.reading ??= this.restore();
    made.tally.restoring = this.reading;
    return made;
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
        for (const counted of fresh)
          if (isOf(entry, counted)) counted.tally.restore(pastTurn(entry, counted.owner), now);
      }
    } catch (error) {
      log.warn(`limits begin at zero, because the usage so far cannot be read: ${messageOf(error)}`);
    }
    for (const { tally } of fresh) tally.restoring = undefined;
  }
}

/** A request of a client counts once; a provider that a route asks twice has two requests. */
function pastTurn({ time, usage, costUsd, guess, again, machine }: UsageEntry, { type }: LimitOwner): PastTurn {
  const requests = again && type === 'client' ? 0 : 1;
  if (guess) return { time, requests, machine, ...guess };
  return { time, requests, machine, tokens: usage ? usage.inputTokens + usage.outputTokens : 0, costUsd };
}

/** Turns that were booked without an account count for all of them. */
function isOf(entry: UsageEntry, { owner: { type, name }, account = entry.account }: Counted): boolean {
  return entry[type] === name && (entry.account ?? account) === account;
}

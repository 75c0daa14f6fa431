import type { TurnedAway } from '../record/live-event';

/** How many requests were turned away for one reason. */
export interface Refused {
  /** `key`: the request had no key that is known. */
  reason: TurnedAway | 'key';
  count: number;
  /** In ms since the epoch. */
  lastAt: number;
}

/** Stands for all requests without a known key. No entry of `clients` has this name. */
const STRANGER = '';

/** The requests of each client that were turned away since the daemon started. The configuration names the clients, so there are few. */
export class Refusals {
  private readonly byClient = new Map<string, Map<Refused['reason'], Refused>>();
  private readonly watchers = new Set<(client: string, reason: TurnedAway) => void>();

  /** Tells of each client that is turned away, until the returned function is called. */
  watch(take: (client: string, reason: TurnedAway) => void): () => void {
    this.watchers.add(take);
    return () => void this.watchers.delete(take);
  }

  note(client: string, reason: TurnedAway, now = Date.now()): void {
    this.count(client, reason, now);
    for (const take of this.watchers) take(client, reason);
  }

  noteStranger(): void {
    this.count(STRANGER, 'key', Date.now());
  }

  of(client: string): Refused[] {
    return [...(this.byClient.get(client)?.values() ?? [])];
  }

  ofStrangers(): Refused | undefined {
    return this.of(STRANGER)[0];
  }

  private count(client: string, reason: Refused['reason'], now: number): void {
    let known = this.byClient.get(client);
    if (!known) this.byClient.set(client, (known = new Map<Refused['reason'], Refused>()));
    const count = (known.get(reason)?.count ?? 0) + 1;
    known.set(reason, { reason, count, lastAt: now });
  }
}

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

/** Who was turned away since the daemon started. Clients are those of the configuration, so there are few of them. */
export class Refusals {
  private readonly byClient = new Map<string, Map<Refused['reason'], Refused>>();

  note(client: string, reason: Refused['reason'], now = Date.now()): void {
    let known = this.byClient.get(client);
    if (!known) this.byClient.set(client, (known = new Map<Refused['reason'], Refused>()));
    const count = (known.get(reason)?.count ?? 0) + 1;
    known.set(reason, { reason, count, lastAt: now });
  }

  noteStranger(): void {
    this.note(STRANGER, 'key');
  }

  of(client: string): Refused[] {
    return [...(this.byClient.get(client)?.values() ?? [])];
  }

  ofStrangers(): Refused | undefined {
    return this.of(STRANGER)[0];
  }
}

import { Exchange, type ExchangeHead } from './exchange';

/** How many exchanges are kept, and how many bytes their prompts and answers may have together. */
const LIMITS = { exchanges: 200, bytes: 16 * 1024 * 1024 };

/**
 * The last requests at the gateways, in memory only. The recorder keeps what a request is made of anyway, and drops the oldest
 * prompts and answers first. Headers are never kept, so no key of a client gets here.
 */
export class FlightRecorder {
  private readonly kept: Exchange[] = [];
  private bytes = 0;

  constructor(private readonly limits = LIMITS) {}

  begin(head: ExchangeHead): Exchange {
    const exchange = new Exchange(head, this.grow);
    this.kept.push(exchange);
    if (this.kept.length > this.limits.exchanges) this.kept.shift()!.dropContent();
    return exchange;
  }

  /** The oldest first, with those that are not answered yet. */
  last(count: number): Exchange[] {
    return count > 0 ? this.kept.slice(-count) : [];
  }

  find(id: string): Exchange | undefined {
    return this.kept.findLast(({ head }) => head.id === id);
  }

  private readonly grow = (bytes: number): void => {
    this.bytes += bytes;
    if (this.bytes > this.limits.bytes) this.shrink();
  };

  private shrink(): void {
    for (const exchange of this.kept) {
      if (exchange.content) exchange.dropContent();
      if (this.bytes <= this.limits.bytes) return;
    }
  }
}

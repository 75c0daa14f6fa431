import type { Tally } from './tally';

/** The reservation of an admitted request until it ends. Then either `settle` or `cancel` is called once. */
export class Hold {
  private readonly minute: number;

  /** `amount`: what it may cost; `count`: 1 if it is counted; `most`: its cost if the backend respects the bound of the request. */
  constructor(
    private readonly tally: Tally,
    private readonly amount: number,
    private readonly count: number,
    private readonly most: number,
  ) {
    this.minute = tally.requests.minute;
  }

  /** Whether the request is counted here, and was not before. */
  get isCounted(): boolean {
    return this.count > 0;
  }

  /** What it has used. */
  settle(tokens: number, usd: number, now = Date.now()): void {
    this.tally.spend(tokens, usd, now, this.most);
    this.tally.held.add(-this.amount);
  }

  /** It did not run: it counts for nothing. */
  cancel(now = Date.now()): void {
    this.tally.held.add(-this.amount);
    this.tally.requests.takeBack(this.count, this.minute, now);
  }
}

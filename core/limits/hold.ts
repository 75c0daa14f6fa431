import type { Tally } from './tally';

/** A request that was let in. One of the two is called once, when it is over. */
export interface Hold {
  /** What it has used. */
  settle(tokens: number, usd: number): void;
  /** It did not run: it counts for nothing. */
  cancel(): void;
}

/** `amount`: what it may cost; `count`: 1 where it is counted; `most`: what it costs where its backend keeps to the bound of the request. */
export function holdOf(tally: Tally, amount: number, count: number, most: number): Hold {
  const { period } = tally.requests;
  return {
    settle: (tokens, usd) => {
      tally.spend(tokens, usd, Date.now(), most);
      tally.held.add(-amount);
    },
    cancel: () => {
      tally.held.add(-amount);
      tally.requests.takeBack(count, period, Date.now());
    },
  };
}

import type { SharedState } from '../shared-state/shared-state';

/** What a crashed machine held ends after this time. No request should take longer. */
const HOLD_S = 15 * 60;

/**
 * What the running requests may cost. Shared with other machines, each tells its own part as a whole: so nothing is lost where the
 * server has forgotten it, and what a crashed machine has told ends without the parts of the others.
 */
export class HeldSum {
  private own = 0;
  private others = 0;
  private othersEnd = 0;
  private shared: { state: SharedState; key: string } | undefined;

  /** From now on it is the sum of all machines under this key. */
  share(state: SharedState, key: string): void {
    this.shared ??= { state, key };
  }

  at(now: number): number {
    return this.own + (now < this.othersEnd ? this.others : 0);
  }

  add(amount: number): void {
    this.addAndAsk(amount)?.catch(() => undefined);
  }

  /** The same; with the sum of all machines before the addition, where they are asked at all. */
  addAndAsk(amount: number): Promise<number> | undefined {
    const before = this.own;
    this.own += amount;
    return this.shared?.state.isPrompt ? this.tell().then((others) => before + others) : undefined;
  }

  /** Tells the others, and learns from them. */
  async meet(): Promise<void> {
    if (this.shared) await this.tell();
  }

  private async tell(): Promise<number> {
    const { state, key } = this.shared!;
    const amount = Math.min(this.own, Number.MAX_SAFE_INTEGER);
    this.others = await state.hold(key, amount, HOLD_S);
    this.othersEnd = Date.now() + HOLD_S * 1000;
    return this.others;
  }
}

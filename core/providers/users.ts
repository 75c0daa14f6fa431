/**
 * Counts the users of something that a reload may take out of the configuration. A count costs a request two additions, and
 * no promise.
 */
export class Users {
  private count = 0;
  private whenLeft: (() => void) | undefined;

  enter(): void {
    this.count += 1;
  }

  leave(): void {
    this.count -= 1;
    if (this.count === 0) this.whenLeft?.();
  }

  /** Resolves when the present users have left. Called when the thing cannot be found any more, so that no other one comes. */
  async gone(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => (this.whenLeft = resolve));
  }
}

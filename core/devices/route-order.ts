/** Smooth weighted round robin: of every 4 turns, weights of 3 and 1 get 3 and 1, and not 3 in a row by chance. */
export class TurnOrder<Target extends { readonly weight: number }> {
  private readonly credit = new Map<Target, number>();

  /** The targets in the order for one request: the one whose turn it is, then the others by what is due to them. */
  next(targets: readonly Target[]): Target[] {
    let total = 0;
    for (const target of targets) {
      total += target.weight;
      this.credit.set(target, this.creditOf(target) + target.weight);
    }
    const ordered = [...targets].sort((a, b) => this.creditOf(b) - this.creditOf(a));
    const [first] = ordered;
    if (first) this.credit.set(first, this.creditOf(first) - total);
    return ordered;
  }

  private creditOf(target: Target): number {
    return this.credit.get(target) ?? 0;
  }
}

/** Work that is left when a run is over, or a program is being started. */
export class Leaving {
  private readonly works = new Set<Promise<void>>();

  /** Resolves when the work has ended, in whatever way. */
  add(work: Promise<unknown>): Promise<void> {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.works.add(ended);
    void ended.then(() => this.works.delete(ended));
    return ended;
  }

  /** Resolves when nothing is left. */
  async end(): Promise<void> {
    // Work may be followed by more.
    while (this.works.size > 0) await Promise.all(this.works);
  }
}

/** Lets cases run at once, except for those that look at the whole process: its environment, its folders, its output. */
export class Turns {
  private readonly running = new Set<Promise<unknown>>();
  private lastAlone: Promise<unknown> = Promise.resolve();

  /** Runs beside others of its kind. */
  beside(work: () => Promise<void>): Promise<void> {
    const done = this.lastAlone.then(work);
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        this.running.delete(settled);
      });
    this.running.add(settled);
    return done;
  }

  /** Waits for all that came before; what comes later waits for it. */
  alone(work: () => Promise<void>): Promise<void> {
    const done = Promise.all([this.lastAlone, ...this.running]).then(work);
    this.lastAlone = done.catch(() => undefined);
    return done;
  }
}

/** Runs cases at the same time, except for cases that observe the whole process: its environment, folders and output. */
export class Turns {
  private readonly running = new Set<Promise<unknown>>();
  private lastAlone: Promise<unknown> = Promise.resolve();

  /** Runs at the same time as other such cases. */
  beside(work: () => Promise<void>): Promise<void> {
    const done = this.lastAlone.then(work);
    const settled = done.catch(() => undefined).finally(() => this.running.delete(settled));
    this.running.add(settled);
    return done;
  }

  alone(work: () => Promise<void>): Promise<void> {
    const done = Promise.all([this.lastAlone, ...this.running]).then(work);
    this.lastAlone = done.catch(() => undefined);
    return done;
  }
}

/** Of all cases in this process. */
export const turns = new Turns();

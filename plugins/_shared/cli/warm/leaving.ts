import type { LiveProgram } from './live-program';

type Started = Pick<LiveProgram, 'stop' | 'gone'>;

/** What a driver still has to see to when it closes: programs that stay, files of those that have ended, and starts. */
export class Leaving {
  private readonly works = new Set<Promise<void>>();
  private readonly programs = new Set<Started>();
  private readonly ending = new AbortController();
  /** Aborts when the driver closes: what a start asks first is not waited for. */
  readonly signal: AbortSignal = this.ending.signal;

  /** For a program that ends with the driver. `left` settles when nothing of it is left. */
  addProgram(program: Started, left: Promise<unknown>): void {
    void this.add(left);
    if (this.signal.aborted) return void program.stop();
    this.programs.add(program);
    void program.gone.then(() => this.programs.delete(program));
  }

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

  /** Ends the programs, and those that are being started. Resolves when nothing is left. */
  async end(): Promise<void> {
    this.ending.abort();
    for (const program of this.programs) void program.stop();
    // Work may be followed by more.
    while (this.works.size > 0) await Promise.all(this.works);
  }
}

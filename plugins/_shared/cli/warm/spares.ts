import type { DriverContext, Kept } from 'drivebay/plugin';
import type { Holder } from './conversations';
import { Trials } from './trials';

export interface Spare extends Holder {
  /** Resolves when it is ready. Rejects when it never will be. */
  readonly ready: Promise<void>;
  /** Settles when it has ended. */
  readonly gone: Promise<void>;
  /** Called where it has ended while no chat used it. */
  warnOfEnd(context: Pick<DriverContext, 'log'>): Promise<void>;
}

/** What a spare is made of. What cannot be changed later is in the key. */
export interface SpareKind<Of> {
  key: string;
  /** Names the program in this version. */
  program: string;
  start: () => Promise<Of>;
}

/** Programs that are started before they are needed. Each serves one conversation, so that nothing passes to another. */
export class Spares<Of extends Spare> {
  private readonly found = new Set<{ key: string; spare: Of; kept: Kept }>();
  private readonly trials: Trials;
  private isStarting = false;
  private isClosed = false;

  constructor(
    private readonly context: Pick<DriverContext, 'keep' | 'log'>,
    private readonly limits: { most: number; forMs: number },
  ) {
    this.trials = new Trials(context);
  }

  take(key: string): Of | undefined {
    for (const entry of this.found) {
      if (entry.key !== key) continue;
      this.found.delete(entry);
      if (entry.kept.take() && !entry.spare.isGone) return entry.spare;
    }
    return undefined;
  }

  /** Starts one of the kind, where there is none. One at a time: a start takes a processor. Never rejects. */
  refill(kind: SpareKind<Of>): void {
    if (this.isClosed || this.isStarting || this.limits.most < 1) return;
    if (this.trials.isHopeless(kind.program)) return;
    if ([...this.found].some(({ key, spare }) => key === kind.key && !spare.isGone)) return;
    this.isStarting = true;
    void this.start(kind).finally(() => (this.isStarting = false));
  }

  /** Nothing is started from now on. Core ends the programs. */
  close(): void {
    this.isClosed = true;
  }

  private async start({ key, program, start }: SpareKind<Of>): Promise<void> {
    let spare: Of | undefined;
    try {
      spare = await start();
      await spare.ready;
      this.trials.succeeded(program);
    } catch (error) {
      void spare?.stop();
      if (!this.isClosed) this.trials.failed(program, error);
      return;
    }
    if (this.isClosed) return void spare.stop();
    const entry = { key, spare, kept: NOTHING };
    this.found.add(entry);
    const end = (): void => {
      this.found.delete(entry);
      void spare.stop();
    };
    entry.kept = this.context.keep({ state: 'spare', ...this.limits, pid: spare.pid, end });
    void spare.gone.then(() => {
      if (!this.found.delete(entry)) return;
      entry.kept.take();
      void spare.warnOfEnd(this.context);
    });
  }
}

const NOTHING: Kept = { take: () => false };

import type { DriverContext, Kept } from 'drivebay/plugin';

/** Something that holds a conversation: a program, or a thread of one. */
export interface Holder {
  readonly pid?: number;
  readonly isGone: boolean;
  stop(): Promise<void>;
}

/** Conversations that may go on, by the mark that their next request has. */
export class Conversations<Of extends Holder> {
  private readonly found = new Map<string, { holder: Of; kept: Kept }>();

  constructor(
    private readonly context: Pick<DriverContext, 'keep'>,
    private readonly limits: { most: number; forMs: number },
  ) {}

  keep(mark: string, holder: Of): void {
    // Two that are equal in every word: either may go on, one is enough.
    this.drop(mark);
    const entry: { holder: Of; kept: Kept } = { holder, kept: NOTHING };
    this.found.set(mark, entry);
    const end = (): void => {
      if (this.found.get(mark) === entry) this.found.delete(mark);
      void holder.stop();
    };
    entry.kept = this.context.keep({ state: 'conversation', ...this.limits, pid: holder.pid, end });
  }

  /** The one with this mark, for the caller alone. */
  take(mark: string | undefined): Of | undefined {
    const entry = mark === undefined ? undefined : this.found.get(mark);
    if (!entry) return undefined;
    this.found.delete(mark!);
    return entry.kept.take() && !entry.holder.isGone ? entry.holder : undefined;
  }

  /** For a holder that has ended. Whether it was kept until then. */
  forget(holder: Of): boolean {
    let wasKept = false;
    for (const [mark, entry] of this.found) {
      if (entry.holder !== holder) continue;
      this.found.delete(mark);
      wasKept = entry.kept.take() || wasKept;
    }
    return wasKept;
  }

  private drop(mark: string): void {
    const entry = this.found.get(mark);
    if (!entry) return;
    this.found.delete(mark);
    if (entry.kept.take()) void entry.holder.stop();
  }
}

const NOTHING: Kept = { take: () => false };

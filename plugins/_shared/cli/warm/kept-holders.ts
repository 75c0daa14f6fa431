import type { DriverContext, KeepOptions, Kept } from 'drivebay/plugin';

/** Something that holds a conversation, or may hold one: a program, or a thread of one. */
export interface Holder {
  readonly pid?: number;
  readonly isGone: boolean;
  stop(): Promise<void>;
}

interface Entry<Of, About> {
  keys: readonly string[];
  holder: Of;
  about: About;
  kept?: Kept;
}

/** Holders that are kept until a caller takes them by one of their keys, or core ends them. */
export class KeptHolders<Of extends Holder, About = void> {
  private readonly byKey = new Map<string, Entry<Of, About>>();

  constructor(
    private readonly context: Pick<DriverContext, 'keep'>,
    private readonly options: Pick<KeepOptions, 'state' | 'most' | 'forMs'>,
  ) {}

  /** Takes the place of one with the same key: either may go on, one is enough. */
  keep(keys: readonly string[], holder: Of, about: About): void {
    for (const key of keys) void this.take(key)?.stop();
    const entry: Entry<Of, About> = { keys, holder, about };
    for (const key of keys) this.byKey.set(key, entry);
    const end = (): void => {
      this.remove(entry);
      void holder.stop();
    };
    entry.kept = this.context.keep({ ...this.options, pid: holder.pid, end });
  }

  /** What is known of the one with this key, which stays. */
  about(key: string): About | undefined {
    return this.byKey.get(key)?.about;
  }

  /** The one with this key, for the caller alone. */
  take(key: string | undefined): Of | undefined {
    const entry = key === undefined ? undefined : this.byKey.get(key);
    if (!entry || !this.remove(entry)) return undefined;
    if (!entry.holder.isGone) return entry.holder;
    // Gives back what it used of others, such as files.
    void entry.holder.stop();
    return undefined;
  }

  /** For a holder that has ended. Whether it was kept until then. */
  forget(holder: Of): boolean {
    const entries = [...this.byKey.values()].filter((entry) => entry.holder === holder);
    return entries.map((entry) => this.remove(entry)).includes(true);
  }

  private remove(entry: Entry<Of, About>): boolean {
    for (const key of entry.keys) if (this.byKey.get(key) === entry) this.byKey.delete(key);
    return entry.kept?.take() ?? false;
  }
}

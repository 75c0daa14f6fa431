import type { ErrorKind } from '../contract/api';
import type { DriverError } from '../contract/driver-error';
import { nextTarget } from '../contract/failure-policy';

/** The first rest after a failure where the backend named no end. */
const FIRST_MS = 5_000;
const LONGEST_MS = 5 * 60_000;
/** A named end that is further away is believed up to here. */
const LONGEST_NAMED_MS = 24 * 60 * 60_000;

/** A time in which routes ask a provider last, because it failed. */
export interface Rest {
  /** The model that rests; absent: all of the provider. */
  model?: string;
  kind: ErrorKind;
  message: string;
  /** Milliseconds since the epoch, as `until`. */
  since: number;
  until: number;
  /** Whether the backend named the end. */
  isNamed: boolean;
  /** How many times in a row it has failed. */
  failures: number;
}

/** The rests of one provider: learned from every call of any caller. */
export class Rests {
  /** By model; the empty text is the whole provider. A rest that is over stays here: it counts the failures in a row. */
  private readonly known = new Map<string, Rest>();
  private readonly listeners = new Set<() => void>();
  /** Grows with each failure, so that calls that ran side by side count as one failure. */
  count = 0;

  constructor(kept: readonly Rest[] = []) {
    this.take(kept);
  }

  /** Calls back at each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Everything that is known, also rests that are over. */
  all(): Rest[] {
    return [...this.known.values()];
  }

  /** The active rests. */
  list(): Rest[] {
    const now = Date.now();
    return this.all().filter(({ until }) => until > now);
  }

  /** The rest that a call with this model falls into, the longer one of the provider's and the model's. */
  of(model: string | undefined, now = Date.now()): Rest | undefined {
    if (this.known.size === 0) return undefined;
    const [whole, own] = [this.known.get(''), model === undefined ? undefined : this.known.get(model)];
    const longest = own && (!whole || own.until > whole.until) ? own : whole;
    return longest && longest.until > now ? longest : undefined;
  }

  /** `seen` is `count` as it was when the call began. */
  noteFailure(failure: DriverError, model: string | undefined, seen: number): void {
    const { rests } = nextTarget(failure);
    if (rests === 'nothing' || (rests === 'model' && model === undefined)) return;
    const key = rests === 'model' ? model! : '';
    const before = this.known.get(key);
    const isNew = seen === this.count;
    const named = failure.retryAfterS;
    if (before && !isNew && named === undefined) return;
    const now = Date.now();
    const failures = (before?.failures ?? 0) + (isNew || !before ? 1 : 0);
    const restMs =
      named === undefined
        ? Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS)
        : Math.min(named * 1000, LONGEST_NAMED_MS);
    const until = now + restMs;
    this.count += 1;
    // A time that the backend has named stays, although another failure would end sooner.
    const isShorter = before !== undefined && before.isNamed && named === undefined && before.until > until;
    const { kind, message } = failure;
    this.known.set(
      key,
      isShorter
        ? { ...before, failures }
        : { ...(key && { model: key }), kind, message, since: now, until, isNamed: named !== undefined, failures },
    );
    this.changed();
  }

  /** A success ends the rest of the provider, and that of the model. */
  noteSuccess(model: string | undefined): void {
    if (this.known.size === 0) return;
    const had = this.known.delete('');
    const hadModel = model !== undefined && this.known.delete(model);
    if (had || hadModel) this.changed();
  }

  /** Ends every rest. Returns how many there were. */
  wake(): number {
    const ended = this.list().length;
    this.known.clear();
    if (ended > 0) this.changed();
    return ended;
  }

  /** Takes what another machine knows in place of what is known here. */
  adopt(rests: readonly Rest[]): void {
    this.known.clear();
    this.take(rests);
    this.count += 1;
    this.changed();
  }

  /** They may be of a clock that is wrong: no rest is longer than one that could begin now. */
  private take(rests: readonly Rest[]): void {
    const latest = Date.now() + LONGEST_NAMED_MS;
    for (const rest of rests) this.known.set(rest.model ?? '', { ...rest, until: Math.min(rest.until, latest) });
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

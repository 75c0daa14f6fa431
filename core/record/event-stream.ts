import type { Gap, LiveEvent, LiveEventBody } from './live-event';

export interface StreamLimits {
  /** How many events are kept. */
  events: number;
  /** How many characters their texts may have together. */
  characters: number;
}

const LIMITS: StreamLimits = { events: 10_000, characters: 16 * 1024 * 1024 };
const BATCH = 1_000;
/** Room for so many events per millisecond of a daemon's life before its ids meet those of the next one. */
const IDS_PER_MS = 1_000;

/**
 * The one stream of what happens in a daemon. The latest events are kept in a ring; a subscriber is no more than a
 * position in it, so a slow one costs no memory: what it missed is told to it as a gap.
 */
export class EventStream {
  private readonly ring: (LiveEvent | undefined)[];
  private nextId = Date.now() * IDS_PER_MS;
  private oldestId = this.nextId;
  private characters = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: StreamLimits = LIMITS) {
    this.ring = new Array<LiveEvent | undefined>(limits.events);
  }

  /** The id of the latest event. */
  get lastId(): number {
    return this.nextId - 1;
  }

  publish(body: LiveEventBody): LiveEvent {
    if (this.nextId - this.oldestId === this.limits.events) this.dropOldest();
    const event: LiveEvent = { id: this.nextId, time: Date.now(), ...body };
    this.ring[this.nextId++ % this.limits.events] = event;
    this.characters += textLength(event);
    while (this.characters > this.limits.characters && this.oldestId < this.lastId) this.dropOldest();
    if (this.waiting.size > 0) this.wake();
    return event;
  }

  /**
   * What happens from now on, or after the event with the id given, in batches: everything there is, as soon as there
   * is something. Ends when the signal fires.
   */
  subscribe({
    after = this.lastId,
    signal,
  }: {
    after?: number;
    signal: AbortSignal;
  }): AsyncIterable<(LiveEvent | Gap)[]> {
    return this.follow(after, signal);
  }

  /** What happened after the event with the id given, up to now; begins with a gap where some of it is gone. */
  read(after: number): (LiveEvent | Gap)[] {
    return this.take(this.positionAfter(after), this.limits.events + 1);
  }

  private async *follow(after: number, signal: AbortSignal): AsyncGenerator<(LiveEvent | Gap)[], void> {
    let next = this.positionAfter(after);
    while (!signal.aborted) {
      const batch = this.take(next, BATCH);
      const last = batch.at(-1);
      if (last) {
        next = (last.kind === 'gap' ? last.to : last.id) + 1;
        yield batch;
      } else await this.change(signal);
    }
  }

  /** An id from the future is another daemon's, whose clock ran ahead. */
  private positionAfter(id: number): number {
    return id > this.lastId ? this.oldestId : id + 1;
  }

  private take(from: number, limit: number): (LiveEvent | Gap)[] {
    const batch: (LiveEvent | Gap)[] = [];
    let next = from;
    if (next < this.oldestId) {
      batch.push({ kind: 'gap', from: next, to: this.oldestId - 1 });
      next = this.oldestId;
    }
    while (next < this.nextId && batch.length < limit) batch.push(this.ring[next++ % this.limits.events]!);
    return batch;
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', go);
        this.waiting.delete(go);
        resolve();
      };
      signal.addEventListener('abort', go);
      this.waiting.add(go);
    });
  }

  private wake(): void {
    for (const go of [...this.waiting]) go();
  }

  private dropOldest(): void {
    const slot = this.oldestId++ % this.limits.events;
    this.characters -= textLength(this.ring[slot]!);
    this.ring[slot] = undefined;
  }
}

/** The long ones are texts of the model and of tools. */
function textLength({ event }: LiveEvent): number {
  let length = 0;
  for (const value of Object.values(event) as unknown[]) if (typeof value === 'string') length += value.length;
  return length;
}

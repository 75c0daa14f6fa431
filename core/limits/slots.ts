import type { Ending } from '../contract/call-end';
import type { LimitOwner } from './limit-reached';

/** How many requests may wait for a slot of one provider, or of one client, before the next is turned away. */
const WAITING_LIMIT = 16;

/** Thrown when the queue is full, or when a wait in it has lasted too long. The gateway answers 429. */
export class QueueFullError extends Error {
  readonly code = 'concurrency_limit';
  constructor(
    limit: number,
    readonly whose: LimitOwner['type'] = 'provider',
    waitedMs?: number,
  ) {
    const others =
      waitedMs === undefined ? `${WAITING_LIMIT} are waiting` : `none has ended within ${waitedMs / 1000} s`;
    super(`${limit} requests are running and ${others}, the limit of this ${whose}`);
    this.name = 'QueueFullError';
  }
}

/** Lets at most `limit` calls of a provider, or of a client, run at once; the others wait in order of arrival. */
export class Slots {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private limit: number,
    private readonly whose: LimitOwner['type'] = 'provider',
  ) {}

  /** Running ones continue, and count. */
  resize(limit: number): void {
    this.limit = limit;
    this.admit();
  }

  /** How full it is now. */
  get load(): { running: number; waiting: number; limit: number } {
    return { running: this.running, waiting: this.waiting.size, limit: this.limit };
  }

  /** Resolves with a free slot; rejects when the signal fires, or at a full queue. A patient caller just waits. */
  async acquire(signal: Ending, isPatient = false): Promise<void> {
    signal.throwIfAborted();
    if (this.running < this.limit) {
      this.running += 1;
      return;
    }
    if (!isPatient && this.waiting.size >= WAITING_LIMIT) throw new QueueFullError(this.limit, this.whose);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(enter);
        reject(signal.reason!);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.add(enter);
      signal.addEventListener('abort', leave);
    });
  }

  /** Gives the slot to the longest waiting call, or back. */
  release(): void {
    this.running -= 1;
    this.admit();
  }

  private admit(): void {
    for (const next of this.waiting) {
      if (this.running >= this.limit) return;
      this.waiting.delete(next);
      this.running += 1;
      next();
    }
  }
}

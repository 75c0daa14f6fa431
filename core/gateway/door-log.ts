import type { Logger } from '../contract/api';

const WINDOW_MS = 1_000;
const LINES = 20;

/**
 * Bounds the lines about requests that need no key to be answered: so many have one in a second, and the others are told together.
 * A program without a key must not fill the disk. Addresses are not told apart: on loopback a program has 16 million of them.
 */
export class DoorLog {
  private answers = 0;
  private readonly untold = new Map<number, number>();

  constructor(private readonly log: Logger) {}

  /** Whether an answer of this status has a line of its own. */
  takes(status: number): boolean {
    if (this.answers === 0) setTimeout(() => this.settle(), WINDOW_MS).unref();
    this.answers += 1;
    if (this.answers <= LINES) return true;
    this.untold.set(status, (this.untold.get(status) ?? 0) + 1);
    return false;
  }

  private settle(): void {
    const count = this.answers - LINES;
    this.answers = 0;
    if (count <= 0) return;
    const statuses = [...this.untold].map(([status, times]) => `${times} with ${status}`).join(', ');
    this.untold.clear();
    this.log.warn(`${count} more requests were answered at the door within a second: ${statuses}`);
  }
}

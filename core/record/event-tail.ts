/** Stands for items that are gone. Both numbers are included. */
export interface Gap {
  kind: 'gap';
  from: number;
  to: number;
}

const BATCH = 1_000;

/**
 * The latest of a series of numbered items. A reader is only a position in the series, so a slow reader costs no memory:
 * it gets a gap in place of the items that it missed.
 */
export class EventTail<Item> {
  /** The first places are empty: to take each of them away at once would move all items each time. */
  private readonly items: (Item | undefined)[] = [];
  private empty = 0;
  private readonly waiting = new Set<() => void>();

  /** `first` is the number of the first item. */
  constructor(private first = 0) {}

  get length(): number {
    return this.items.length - this.empty;
  }

  private get next(): number {
    return this.first + this.length;
  }

  get firstNumber(): number {
    return this.first;
  }

  get lastNumber(): number {
    return this.next - 1;
  }

  add(item: Item): void {
    this.items.push(item);
    if (this.waiting.size > 0) for (const go of [...this.waiting]) go();
  }

  drop(): Item {
    const item = this.items[this.empty]!;
    this.items[this.empty] = undefined;
    this.empty += 1;
    this.first += 1;
    if (this.empty > this.length / 8) {
      this.items.splice(0, this.empty);
      this.empty = 0;
    }
    return item;
  }

  /** The items from a number on. Begins with a gap when the first of them are gone. */
  read(from: number, limit = Infinity): (Item | Gap)[] {
    const first = Math.max(from, this.first);
    const items: (Item | Gap)[] = first > from ? [{ kind: 'gap', from, to: first - 1 }] : [];
    const begin = first - this.first + this.empty;
    for (const item of this.items.slice(begin, begin + limit)) items.push(item!);
    return items;
  }

  async *follow(from: number, signal?: AbortSignal): AsyncGenerator<(Item | Gap)[], void> {
    let next = from;
    while (!signal?.aborted) {
      const batch = this.read(next, BATCH);
      next = Math.min(Math.max(next, this.first) + BATCH, this.next);
      if (batch.length > 0) yield batch;
      else await this.change(signal);
    }
  }

  private change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        signal?.removeEventListener('abort', go);
        this.waiting.delete(go);
        resolve();
      };
      signal?.addEventListener('abort', go);
      this.waiting.add(go);
    });
  }
}

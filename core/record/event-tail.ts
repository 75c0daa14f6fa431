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
  private readonly items = new Map<number, Item>();
  private next: number;
  private readonly waiting = new Set<() => void>();

  /** `first` is the number of the first item. */
  constructor(private first = 0) {
    this.next = first;
  }

  get length(): number {
    return this.next - this.first;
  }

  get firstNumber(): number {
    return this.first;
  }

  get lastNumber(): number {
    return this.next - 1;
  }

  add(item: Item): void {
    this.items.set(this.next++, item);
    if (this.waiting.size > 0) for (const go of [...this.waiting]) go();
  }

  drop(): Item {
    const item = this.items.get(this.first)!;
    this.items.delete(this.first++);
    return item;
  }

  /** The items from a number on. Begins with a gap when the first of them are gone. */
  read(from: number, limit = Infinity): (Item | Gap)[] {
    const first = Math.max(from, this.first);
    const items: (Item | Gap)[] = first > from ? [{ kind: 'gap', from, to: first - 1 }] : [];
    const end = Math.min(first + limit, this.next);
    for (let number = first; number < end; number += 1) items.push(this.items.get(number)!);
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

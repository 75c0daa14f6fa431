import type { Fields } from '../_shared/fields';

const ANSWER_LIMIT = 1_000;
const SIZE_LIMIT = 16 * 1024 * 1024;

/**
 * The thinking that led to tool calls, by the id of the call. The vendor wants it back unchanged with the results. Most
 * clients drop fields that they do not know, but every client sends the ids of calls. The oldest make room for new ones.
 */
export class Thoughts {
  private readonly entries = new Map<string, { blocks: Fields[]; size: number }>();
  private size = 0;

  remember([id]: string[], blocks: Fields[]): void {
    if (id === undefined) return;
    const size = JSON.stringify(blocks).length;
    this.forget(id);
    this.entries.set(id, { blocks, size });
    this.size += size;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= ANSWER_LIMIT && this.size <= SIZE_LIMIT) break;
      this.forget(oldest);
    }
  }

  /** The thinking before these calls of one message; empty when it is not known. */
  recall(ids: string[]): Fields[] {
    for (const id of ids) {
      const entry = this.entries.get(id);
      if (entry) return entry.blocks;
    }
    return [];
  }

  private forget(id: string): void {
    this.size -= this.entries.get(id)?.size ?? 0;
    this.entries.delete(id);
  }
}

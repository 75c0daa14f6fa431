import type { Fields } from '../../../fields';

/** A response that was kept, with the conversation that led to it. */
export interface StoredResponse {
  /** The whole conversation until the answer, and the items of the answer. */
  items: readonly Fields[];
  /** The response as JSON. */
  text: string;
  /** What it counts as: its own length, and that of the conversation before. */
  bytes: number;
}

/** The responses of one client. Another client that learns an id has no use of it. */
export type OwnResponses = Pick<ResponseStore, 'put' | 'get' | 'item' | 'delete'>;

interface Entry extends StoredResponse {
  until: number;
  /** What stands before the ids of its items. */
  scope: string;
}

const KEEP_MS = 60 * 60 * 1000;
const LIMIT = 1_000;
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Keeps responses in memory, so that a client can go on from one by its id. The oldest make room for new ones. */
export class ResponseStore {
  /** In the order of their times. */
  private readonly entries = new Map<string, Entry>();
  /** By their ids: the items, each with the last response whose conversation has it. */
  private readonly items = new Map<string, { item: Fields; holder: string }>();
  private bytes = 0;

  /** Undefined: those of everybody who is no client. */
  of(client: string | undefined): OwnResponses {
    if (client === undefined) return this;
    // No id has a space, and no name of a client either.
    const scope = `${client} `;
    return {
      put: (id, response) => this.put(scope + id, response, scope),
      get: (id) => this.get(scope + id),
      item: (id) => this.item(scope + id),
      delete: (id) => this.delete(scope + id),
    };
  }

  put(id: string, response: StoredResponse, scope = ''): void {
    this.delete(id);
    this.entries.set(id, { ...response, until: Date.now() + KEEP_MS, scope });
    this.bytes += response.bytes;
    for (const item of response.items) {
      if (typeof item.id === 'string') this.items.set(scope + item.id, { item, holder: id });
    }
    this.expire();
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= LIMIT && this.bytes <= LIMIT_BYTES) break;
      this.delete(oldest);
    }
  }

  get(id: string): StoredResponse | undefined {
    this.expire();
    return this.entries.get(id);
  }

  /** An item of a conversation that is kept. */
  item(id: string): Fields | undefined {
    this.expire();
    return this.items.get(id)?.item;
  }

  /** Returns whether it was there. */
  delete(id: string): boolean {
    const entry = this.entries.get(id);
    if (!entry) return false;
    this.bytes -= entry.bytes;
    const released = new Set<string>();
    for (const { id: itemId } of entry.items) {
      const key = entry.scope + String(itemId);
      if (this.items.get(key)?.holder !== id) continue;
      this.items.delete(key);
      released.add(key);
    }
    if (released.size > 0) this.holdBefore(id, entry.scope, released);
    return this.entries.delete(id);
  }

  /** Gives items back to the responses before, whose conversations may have them, too. The oldest has none before it. */
  private holdBefore(id: string, scope: string, released: ReadonlySet<string>): void {
    for (const [holder, entry] of this.entries) {
      if (holder === id) return;
      if (entry.scope !== scope) continue;
      for (const item of entry.items) {
        const key = scope + String(item.id);
        if (released.has(key)) this.items.set(key, { item, holder });
      }
    }
  }

  private expire(): void {
    const now = Date.now();
    for (const [id, { until }] of this.entries) {
      if (until > now) return;
      this.delete(id);
    }
  }
}

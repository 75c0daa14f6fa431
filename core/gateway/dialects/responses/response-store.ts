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
export type OwnResponses = Pick<ResponseStore, 'put' | 'get' | 'items' | 'delete'>;

interface Entry extends StoredResponse {
  until: number;
  /** What stands before its id. */
  scope: string;
}

const KEEP_MS = 60 * 60 * 1000;
const LIMIT = 1_000;
const LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Keeps responses in memory, so that a client can go on from one by its id. The oldest of the client that keeps the most make
 * room for new ones, so no client drops those of another one that keeps less.
 */
export class ResponseStore {
  /** In the order of their times. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  /** Undefined: those of everybody who is no client. */
  of(client: string | undefined): OwnResponses {
    if (client === undefined) return this;
    // No id has a space, and no name of a client either.
    const scope = `${client} `;
    return {
      put: (id, response) => this.put(scope + id, response, scope),
      get: (id) => this.get(scope + id),
      items: (ids) => this.items(ids, scope),
      delete: (id) => this.delete(scope + id),
    };
  }

  put(id: string, response: StoredResponse, scope = ''): void {
    this.delete(id);
    this.entries.set(id, { ...response, until: Date.now() + KEEP_MS, scope });
    this.bytes += response.bytes;
    this.expire();
    while (this.entries.size > LIMIT || this.bytes > LIMIT_BYTES) this.makeRoom();
  }

  get(id: string): StoredResponse | undefined {
    this.expire();
    return this.entries.get(id);
  }

  /** The items with these ids in the conversations that are kept. Most are in one of the newest. */
  items(ids: ReadonlySet<unknown>, scope = ''): ReadonlyMap<unknown, Fields> {
    this.expire();
    const found = new Map<unknown, Fields>();
    for (const entry of [...this.entries.values()].reverse()) {
      if (found.size === ids.size) break;
      if (entry.scope !== scope) continue;
      for (const item of entry.items) if (ids.has(item.id) && !found.has(item.id)) found.set(item.id, item);
    }
    return found;
  }

  /** Returns whether it was there. */
  delete(id: string): boolean {
    const entry = this.entries.get(id);
    if (!entry) return false;
    this.bytes -= entry.bytes;
    return this.entries.delete(id);
  }

  private makeRoom(): void {
    const shares = new Map<string, { part: number; oldest: string }>();
    for (const [id, { scope, bytes }] of this.entries) {
      const { part, oldest } = shares.get(scope) ?? { part: 0, oldest: id };
      shares.set(scope, { part: part + Math.max(1 / LIMIT, bytes / LIMIT_BYTES), oldest });
    }
    const [most] = [...shares.values()].sort((one, other) => other.part - one.part);
    this.delete(most!.oldest);
  }

  private expire(): void {
    const now = Date.now();
    for (const [id, { until }] of this.entries) {
      if (until > now) return;
      this.delete(id);
    }
  }
}

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

interface Entry extends StoredResponse {
  until: number;
}

const KEEP_MS = 60 * 60 * 1000;
const LIMIT = 1_000;
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Keeps responses in memory, so that a client can go on from one by its id. */
export class ResponseStore {
  private readonly clients = new Map<string | undefined, OwnResponses>();

  /** Undefined: all callers that are no client. */
  of(client?: string): OwnResponses {
    let own = this.clients.get(client);
    if (!own) this.clients.set(client, (own = new OwnResponses(() => this.makeRoom())));
    return own;
  }

  /** Drops the oldest responses of the client that keeps the most, so no client pushes out the responses of one that keeps less. */
  private makeRoom(): void {
    const all = [...this.clients.values()];
    for (const own of all) own.expire();
    const sum = (of: (own: OwnResponses) => number) => all.reduce((total, own) => total + of(own), 0);
    while (sum(({ size }) => size) > LIMIT || sum(({ bytes }) => bytes) > LIMIT_BYTES) {
      all.reduce((most, own) => (own.share > most.share ? own : most)).dropOldest();
    }
  }
}

/** The responses of one client. Another client that learns an id cannot use it. */
export class OwnResponses {
  /** The sum of their sizes. */
  bytes = 0;
  /** In the order of their times. */
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly makeRoom: () => void) {}

  get size(): number {
    return this.entries.size;
  }

  /** How much of the store they take. */
  get share(): number {
    return Math.max(this.size / LIMIT, this.bytes / LIMIT_BYTES);
  }

  put(id: string, response: StoredResponse): void {
    this.delete(id);
    this.entries.set(id, { ...response, until: Date.now() + KEEP_MS });
    this.bytes += response.bytes;
    this.makeRoom();
  }

  get(id: string): StoredResponse | undefined {
    this.expire();
    return this.entries.get(id);
  }

  /** The items with these ids in the conversations that are kept. Most are in one of the newest. */
  items(ids: ReadonlySet<unknown>): ReadonlyMap<unknown, Fields> {
    this.expire();
    const found = new Map<unknown, Fields>();
    for (const { items } of [...this.entries.values()].reverse()) {
      if (found.size === ids.size) break;
      for (const item of items) if (ids.has(item.id) && !found.has(item.id)) found.set(item.id, item);
    }
    return found;
  }

  /** Returns whether it was there. */
  delete(id: string): boolean {
    this.bytes -= this.entries.get(id)?.bytes ?? 0;
    return this.entries.delete(id);
  }

  dropOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }

  expire(): void {
    const now = Date.now();
    for (const [id, { until }] of this.entries) {
      if (until > now) return;
      this.delete(id);
    }
  }
}

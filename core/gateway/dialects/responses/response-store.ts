type Fields = Record<string, unknown>;

/** A response that was kept, with the conversation that led to it. */
interface StoredResponse {
  /** The whole conversation until the answer, and the items of the answer. */
  items: readonly Fields[];
  /** The response as JSON. */
  text: string;
  /** What it counts as: its own length, and that of the conversation before. */
  bytes: number;
}

/** The responses of one client. Another client that learns an id has no use of it. */
export type OwnResponses = Pick<ResponseStore, 'put' | 'get' | 'delete'>;

const KEEP_MS = 60 * 60 * 1000;
const LIMIT = 1_000;
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Keeps responses in memory, so that a client can go on from one by its id. The oldest make room for new ones. */
export class ResponseStore {
  /** In the order of their times. */
  private readonly entries = new Map<string, StoredResponse & { until: number }>();
  private bytes = 0;

  /** Undefined: those of everybody who is no client. */
  of(client: string | undefined): OwnResponses {
    if (client === undefined) return this;
    // No id has a space, and no name of a client either.
    const own = (id: string) => `${client} ${id}`;
    return {
      put: (id, response) => this.put(own(id), response),
      get: (id) => this.get(own(id)),
      delete: (id) => this.delete(own(id)),
    };
  }

  put(id: string, response: StoredResponse): void {
    this.delete(id);
    this.entries.set(id, { ...response, until: Date.now() + KEEP_MS });
    this.bytes += response.bytes;
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

  /** Returns whether it was there. */
  delete(id: string): boolean {
    this.bytes -= this.entries.get(id)?.bytes ?? 0;
    return this.entries.delete(id);
  }

  private expire(): void {
    const now = Date.now();
    for (const [id, { until }] of this.entries) {
      if (until > now) return;
      this.delete(id);
    }
  }
}

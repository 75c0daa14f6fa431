import { timingSafeEqual } from 'node:crypto';
import { type ClientSource, readClientKeys } from '../../config/client-keys';
import type { ClientEntry } from '../../config/clients';
import { GatewayClient } from './gateway-client';

/** How long a key counts after its variable has changed, in a .env file for example. */
const FRESH_MS = 1_000;

/** The client of each key. The time of a look-up depends neither on the number of clients nor on how close a guess is. */
export class Keyring {
  private readonly clients: Map<ClientEntry, GatewayClient>;
  private readonly hasVariables: boolean;
  /** By the first 32 bits of the digest: their time tells them at most, and they bring a guess no nearer. */
  private holders = new Map<number, { digest: Buffer; client: GatewayClient }[]>();
  private readMs = -Infinity;

  constructor(readonly source: ClientSource) {
    this.clients = new Map(source.entries.map((entry) => [entry, new GatewayClient(entry)]));
    this.hasVariables = source.entries.some(({ keyVariable }) => keyVariable !== undefined);
  }

  /** `digest`: the SHA-256 of a key. */
  find(digest: Buffer): GatewayClient | undefined {
    this.refresh();
    for (const holder of this.holders.get(digest.readUInt32LE(0)) ?? []) {
      if (timingSafeEqual(holder.digest, digest)) return holder.client;
    }
    return undefined;
  }

  private refresh(): void {
    const isRead = this.readMs > -Infinity;
    if (isRead && (!this.hasVariables || performance.now() - this.readMs < FRESH_MS)) return;
    this.readMs = performance.now();
    this.holders = new Map();
    for (const { client: entry, digest } of readClientKeys(this.source)) {
      if (!digest) continue;
      const holder = { digest, client: this.clients.get(entry)! };
      const prefix = digest.readUInt32LE(0);
      this.holders.set(prefix, [...(this.holders.get(prefix) ?? []), holder]);
    }
  }
}

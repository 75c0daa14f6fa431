import { hash, randomBytes } from 'node:crypto';
import type { ClientEntry } from './clients';
import type { Environment } from './environment';

/** The clients of a configuration, and where the variables with their keys are. */
export interface ClientSource {
  readonly entries: readonly ClientEntry[];
  readonly environment: Environment;
}

/** A client with its key, or with the reason why none opens the gateway for it. */
export interface ClientKey {
  client: ClientEntry;
  /** SHA-256. */
  digest?: Buffer;
  /** `owner`: the client that has the same key; absent where there is no key. */
  fault?: { message: string; hint: string; owner?: string };
}

/** 192 random bits. */
export function makeKey(): string {
  return `drivebay-${randomBytes(24).toString('base64url')}`;
}

/** By way of a text: a digest that the library gives as a buffer has memory of its own, which takes as long as the SHA-256. */
export function digestOf(key: string): Buffer {
  return Buffer.from(hash('sha256', key, 'binary'), 'binary');
}

/** The keys as they are now. The first client of a key has it. */
export function readClientKeys({ entries, environment }: ClientSource): ClientKey[] {
  const owners = new Map<string, string>();
  return entries.map((client) => {
    const { name, keyVariable = '', keyDigest } = client;
    const found = keyDigest === undefined ? environment.getGuarded(keyVariable)?.value.trim() : undefined;
    if (keyDigest === undefined && found === undefined) return { client, fault: missingKey(client, environment) };
    const digest = keyDigest === undefined ? digestOf(found!) : Buffer.from(keyDigest, 'hex');
    const hex = digest.toString('hex');
    const owner = owners.get(hex);
    if (owner === undefined) {
      owners.set(hex, name);
      return { client, digest };
    }
    const message = `client "${name}" has the key of client "${owner}", so it cannot ask`;
    return { client, fault: { message, owner, hint: `to make a new one: drivebay clients rotate ${name}` } };
  });
}

function missingKey({ name, keyVariable = '' }: ClientEntry, environment: Environment) {
  const message = `client "${name}" cannot ask: ${keyVariable} is not set (looked in ${environment.searched().join(', ')})`;
  return { message, hint: environment.howToSet(keyVariable) };
}

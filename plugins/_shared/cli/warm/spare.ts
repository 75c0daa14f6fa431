import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../file-version';
import type { Holder } from './kept-holders';

export interface Spare extends Holder {
  /** Whether it has served so many chats that another one should take its place. */
  readonly isWorn?: boolean;
  /** Resolves when it is ready. Rejects when it never will be. */
  readonly ready: Promise<void>;
  /** Settles when it has ended. */
  readonly gone: Promise<void>;
  /** Called where it has ended while no chat used it. */
  warnOfEnd(context: Pick<DriverContext, 'log'>): Promise<void>;
}

/** What a spare is made of. What cannot be changed later is in the key. */
export interface SpareKind<Of> {
  key: string;
  /** Kinds that take each other's place have the same one. */
  slot?: string;
  /** What the program is called in messages. */
  name: string;
  /** Names the program in this version. */
  program: string;
  start: () => Promise<Of>;
}

/** Names a kind by its program and by what that is started with, which may hold the key of a provider. */
export function kindOf(path: string, surroundings: readonly unknown[]): Omit<SpareKind<unknown>, 'start'> {
  const program = `${path} ${versionOf(path)}`;
  const facts = JSON.stringify([program, surroundings]);
  return { key: createHash('sha256').update(facts).digest('base64'), name: basename(path), program };
}

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../file-version';
import { type Holder, KeptHolders } from './kept-holders';
import { Trials } from './trials';

export interface Spare extends Holder {
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

/** Programs that are started before they are needed. Each serves one conversation, so that nothing passes to another. */
export class Spares<Of extends Spare> {
  private readonly kept: KeptHolders<Of>;
  private readonly trials: Trials;
  private isStarting = false;

  constructor(
    private readonly context: Pick<DriverContext, 'keep' | 'log'>,
    private readonly limits: { most: number; forMs: number },
  ) {
    this.kept = new KeptHolders(context, { state: 'spare', ...limits });
    this.trials = new Trials(context);
  }

  take(key: string): Of | undefined {
    return this.kept.take(key);
  }

  /** Starts one of the kind, where there is none. One at a time: a start takes a processor. Never rejects. */
  refill(kind: SpareKind<Of>): void {
    if (this.isStarting || this.limits.most < 1 || !this.trials.mayStart(kind) || this.kept.has(kind.key)) return;
    this.isStarting = true;
    void this.start(kind).finally(() => (this.isStarting = false));
  }

  /** Nothing is started from now on. Core ends the programs. */
  close(): void {
    this.trials.close();
  }

  private async start(kind: SpareKind<Of>): Promise<void> {
    const spare = await this.trials.start(kind).catch(() => undefined);
    if (!spare) return;
    this.trials.succeeded(kind);
    this.kept.keep([kind.key], spare);
    void spare.gone.then(() => {
      if (this.kept.forget(spare)) void spare.warnOfEnd(this.context);
    });
  }
}

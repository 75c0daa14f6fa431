import type { DriverContext } from 'drivebay/plugin';

/** After so many in a row that did not become ready, a program is taken for one that cannot. */
const MOST_FAILURES = 3;

/** A program in a version. */
interface Named {
  program: string;
}

/** Starts programs that stay, and counts how often one failed to become ready. */
export class Trials {
  private readonly failures = new Map<string, number>();
  private isClosed = false;

  constructor(private readonly context: Pick<DriverContext, 'log'>) {}

  mayStart({ program }: Named): boolean {
    return !this.isClosed && (this.failures.get(program) ?? 0) < MOST_FAILURES;
  }

  /** One that is ready. Rejects when it does not become ready. */
  async start<Of extends { ready: Promise<void>; stop(): Promise<void> }>(
    kind: Named & { start: () => Promise<Of> },
  ): Promise<Of> {
    let started: Of | undefined;
    try {
      started = await kind.start();
      await started.ready;
      if (this.isClosed) throw new Error('the provider was closed');
      return started;
    } catch (error) {
      void started?.stop();
      this.failed(kind, error);
      throw error;
    }
  }

  succeeded({ program }: Named): void {
    this.failures.delete(program);
  }

  failed({ program }: Named, error: unknown): void {
    if (this.isClosed) return;
    const count = (this.failures.get(program) ?? 0) + 1;
    this.failures.set(program, count);
    const effect = count < MOST_FAILURES ? '' : '; each chat starts its own';
    this.context.log.info(`no program could be kept ready: ${(error as Error).message}${effect}`);
  }

  /** Nothing is started from now on. */
  close(): void {
    this.isClosed = true;
  }
}

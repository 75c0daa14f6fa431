import type { DriverContext } from 'drivebay/plugin';

/** After so many in a row that did not become ready, a program is taken for one that cannot. */
const MOST_FAILURES = 3;

/** How often programs failed to become ready, by their name and version. */
export class Trials {
  private readonly failures = new Map<string, number>();

  constructor(private readonly context: Pick<DriverContext, 'log'>) {}

  isHopeless(program: string): boolean {
    return (this.failures.get(program) ?? 0) >= MOST_FAILURES;
  }

  succeeded(program: string): void {
    this.failures.delete(program);
  }

  failed(program: string, error: unknown): void {
    const count = (this.failures.get(program) ?? 0) + 1;
    this.failures.set(program, count);
    const effect = count < MOST_FAILURES ? '' : '; each chat starts its own';
    this.context.log.info(`no program could be kept ready: ${(error as Error).message}${effect}`);
  }
}

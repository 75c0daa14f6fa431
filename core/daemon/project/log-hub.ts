import type { Logger } from '../../contract/api';

/** A logger that passes every line on to any number of others. */
export class LogHub implements Logger {
  private readonly targets = new Set<Logger>();

  constructor(first: Logger) {
    this.targets.add(first);
  }

  add(target: Logger): () => void {
    this.targets.add(target);
    return () => void this.targets.delete(target);
  }

  readonly debug = (message: string, fields?: Record<string, unknown>) => this.pass('debug', message, fields);
  readonly info = (message: string, fields?: Record<string, unknown>) => this.pass('info', message, fields);
  readonly warn = (message: string, fields?: Record<string, unknown>) => this.pass('warn', message, fields);
  readonly error = (message: string, fields?: Record<string, unknown>) => this.pass('error', message, fields);

  private pass(level: keyof Logger, message: string, fields: Record<string, unknown> | undefined): void {
    for (const target of this.targets) target[level](message, fields);
  }
}

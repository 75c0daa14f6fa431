import type { Driver, Logger } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { messageOf } from '../errors';
import { LOAD_LIMIT_MS, withLimit } from '../plugins/load';

const CLOSE_LIMIT_MS = 5_000;

interface OwnedDriverParts {
  name: string;
  make: () => Promise<Driver>;
  /** The message for the user about a driver that cannot be created. */
  explain: (error: unknown) => Error;
  log: Logger;
}

/** The driver of a provider, from its first call until the provider ends. */
export class OwnedDriver {
  ready: Driver | undefined;
  private opening: Promise<Driver> | undefined;
  private isClosed = false;

  constructor(private readonly parts: OwnedDriverParts) {}

  /** The driver, made at the first call. A failure is reported to that caller, and the next one tries again. */
  open(): Promise<Driver> {
    // A driver that is made now would never be closed.
    if (this.isClosed)
      return Promise.reject(new DriverError('canceled', `provider "${this.parts.name}" was taken away`));
    this.opening ??= this.make();
    return this.opening;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.ready) await this.end(this.ready);
    // A driver that is still being made holds nothing yet, and may never be ready.
    else void this.opening?.then((late) => this.end(late)).catch(() => undefined);
  }

  private async make(): Promise<Driver> {
    try {
      this.ready = await withLimit(this.parts.make(), 'setting the driver up', LOAD_LIMIT_MS);
      return this.ready;
    } catch (error) {
      this.opening = undefined;
      throw this.parts.explain(error);
    }
  }

  private async end(driver: Driver): Promise<void> {
    try {
      if (driver.close) await withLimit(Promise.resolve(driver.close()), 'its close()', CLOSE_LIMIT_MS);
    } catch (error) {
      this.parts.log.warn(`closing the driver failed: ${messageOf(error)}`);
    }
  }
}

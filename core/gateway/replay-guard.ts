import { createHash } from 'node:crypto';
import { isDriverError } from '../contract/driver-error';
import type { LlmDevice } from '../devices/device';
import type { HttpError } from '../serving/http-error';

const REMEMBER_MS = 8_000;

/**
 * Remembers failed runs of agent CLIs for a moment. Some clients repeat a request whatever the answer says, and a second
 * run would do everything again. So a byte-identical request gets the recorded failure.
 */
export class ReplayGuard {
  private readonly failures = new Map<string, { error: HttpError; until: number }>();

  /**
   * Returns what identifies the run of an agent CLI, for `remember`; undefined for other drivers. Throws the failure of
   * the same run, and says so in the headers of the answer. The failure of one client is not told to another one.
   */
  check(
    { runsPrograms, path }: LlmDevice,
    body: Buffer,
    headers: Record<string, string>,
    client = '',
  ): string | undefined {
    if (!runsPrograms) return undefined;
    // The hash is kept, because the body may be large and the run long.
    const run = createHash('sha256').update(`${path}\0${client}\0`).update(body).digest('base64');
    const found = this.failures.get(run);
    if (!found || found.until <= Date.now()) return run;
    headers['x-drivebay-replayed'] = 'true';
    throw found.error;
  }

  /** `cause` is the failure itself; `error` is sent to the client. */
  remember(run: string | undefined, cause: unknown, error: HttpError): void {
    if (run === undefined || !isDriverError(cause) || !cause.sideEffects) return;
    // A client that cancels and asks again wants a fresh answer.
    if (cause.code === 'canceled') return;
    const now = Date.now();
    for (const [key, { until }] of this.failures) if (until <= now) this.failures.delete(key);
    this.failures.set(run, { error, until: now + REMEMBER_MS });
  }
}

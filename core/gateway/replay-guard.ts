import { createHash } from 'node:crypto';
import type { GatewayError } from './gateway-error';

const REMEMBER_MS = 8_000;

/**
 * Remembers failed agent runs for a moment: some clients repeat a request whatever they are told, and the second run
 * would do everything again. A byte-identical request gets the recorded failure.
 */
export class ReplayGuard {
  private readonly failures = new Map<string, { error: GatewayError; until: number }>();

  remember(run: string, error: GatewayError): void {
    const now = Date.now();
    for (const [key, { until }] of this.failures) if (until <= now) this.failures.delete(key);
    this.failures.set(run, { error, until: now + REMEMBER_MS });
  }

  recall(run: string): GatewayError | undefined {
    const found = this.failures.get(run);
    return found && found.until > Date.now() ? found.error : undefined;
  }
}

/** What makes two requests the same run. Kept instead of the body, which may be large and the run long. */
export function runFingerprint(device: string, body: Buffer): string {
  return createHash('sha256').update(device).update('\0').update(body).digest('base64');
}

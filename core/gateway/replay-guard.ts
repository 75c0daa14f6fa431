import { createHash } from 'node:crypto';
import type { GatewayError } from './gateway-error';

const REMEMBER_MS = 8_000;

/**
 * Remembers failed agent runs for a moment: some clients repeat a request whatever they are told, and the second run
 * would do everything again. A byte-identical request gets the recorded failure.
 */
export class ReplayGuard {
  private readonly failures = new Map<string, { error: GatewayError; until: number }>();

  remember(device: string, body: Buffer, error: GatewayError): void {
    const now = Date.now();
    for (const [key, { until }] of this.failures) if (until <= now) this.failures.delete(key);
    this.failures.set(fingerprint(device, body), { error, until: now + REMEMBER_MS });
  }

  recall(device: string, body: Buffer): GatewayError | undefined {
    if (this.failures.size === 0) return undefined;
    const found = this.failures.get(fingerprint(device, body));
    return found && found.until > Date.now() ? found.error : undefined;
  }
}

function fingerprint(device: string, body: Buffer): string {
  return createHash('sha256').update(device).update('\0').update(body).digest('base64');
}

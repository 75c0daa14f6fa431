import { diag, DiagLogLevel } from '@opentelemetry/api';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { Logger } from '../../contract/api';
import { productName, productVersion } from '../../package';

/** Who sends. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win. */
export function describeSender() {
  const own = { 'service.name': productName, 'service.version': productVersion, 'process.pid': process.pid };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** A collector that is down is reported once, and so is one that refuses a part. The SDK keeps trying, and drops what it cannot keep. */
export function tellFailuresOnce(log: Logger, redact: (text: string) => string, endpoints: readonly string[]): void {
  const see = endpoints.join(', ');
  const lineOf = (why: string) => redact(why).split('\n')[0]!.slice(0, 300);
  let hasLost = false;
  let hasRefused = false;
  const quiet = () => undefined;
  const logger = {
    error: (text: string) => {
      if (hasLost) return;
      hasLost = true;
      log.warn(`telemetry cannot be sent, and is dropped until it can: ${lineOf(reasonIn(text))}; see ${see}`);
    },
    warn: (text: string, answer?: unknown) => {
      if (hasRefused || !text.startsWith(PARTIAL)) return;
      hasRefused = true;
      log.warn(`the collector refuses a part of the telemetry: ${lineOf(String(answer))}; see ${see}`);
    },
    info: quiet,
    debug: quiet,
    verbose: quiet,
  };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The beginning of the SDK's warning about data that a collector refused. Its other warnings are about the SDK itself. */
const PARTIAL = 'Received Partial Success';
/** The words that the SDK puts around the reason of a failed export of metrics. */
const FRAME = /^PeriodicExportingMetricReader: metrics export failed \(error (?:\w*Error: )?(.*)\)$/s;

/** The SDK logs an error as JSON with its stack. A user needs only the message. */
function reasonIn(text: string): string {
  let message = text;
  try {
    message = (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    // It is plain text.
  }
  return FRAME.exec(message)?.[1] ?? message;
}

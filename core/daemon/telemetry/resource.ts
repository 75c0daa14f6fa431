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

/** A collector that is down is reported once. The SDK keeps trying, and drops what it cannot keep. */
export function tellFailuresOnce(log: Logger, redact: (text: string) => string, endpoints: readonly string[]): void {
  let hasTold = false;
  const tell = (message: string) => {
    if (hasTold) return;
    hasTold = true;
    const [line = ''] = redact(message).split('\n');
    const why = line.slice(0, 300);
    log.warn(`telemetry cannot be sent, and is dropped until it can: ${why}; see ${endpoints.join(', ')}`);
  };
  const quiet = () => undefined;
  const logger = { error: tell, warn: quiet, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

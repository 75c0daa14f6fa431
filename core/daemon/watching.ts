import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import type { Tracing } from '../contract/work-span';
import { waitAtMost } from '../contract/wait-at-most';
import type { GatewayOptions } from '../gateway/gateway-options';
import type { MeasuredDaemon, Metrics } from './metrics/metrics';
import { ownVariables, type Signals, wantedSignals } from './telemetry/signals';

/** A collector that does not answer must not hold up the end of a daemon. */
const LAST_EXPORT_MS = 2_000;

/** What watches a daemon from outside: the page for Prometheus, and a collector of OpenTelemetry. Nothing of it is loaded before it is wanted. */
export class Watching {
  private readonly signals: Signals;
  private measuring: Promise<Metrics> | undefined;
  private sending: Promise<Tracing | undefined> | undefined;
  private readonly closers: (() => Promise<void>)[] = [];

  constructor(
    private readonly parts: { environment: NodeJS.ProcessEnv; log: Logger; redactor: Redactor },
    private readonly daemon: MeasuredDaemon,
  ) {
    this.signals = wantedSignals(parts.environment);
  }

  /** The variables that no program of a driver may see. */
  get secrets(): string[] {
    const { traces, metrics } = this.signals;
    return traces || metrics ? ownVariables(this.parts.environment) : [];
  }

  /** The page for Prometheus. It counts from the first call on. */
  async openPage(): Promise<NonNullable<GatewayOptions['metrics']>> {
    const metrics = await this.measure();
    metrics.openPage();
    return () => metrics.page();
  }

  /** Begins to send what the environment asks for. Resolves with undefined where traces are not wanted. */
  tracing(): Promise<Tracing | undefined> {
    this.sending ??= this.send();
    return this.sending;
  }

  async close(): Promise<void> {
    await this.sending?.catch(() => undefined);
    const ended = Promise.allSettled(this.closers.map((close) => close()));
    await waitAtMost(LAST_EXPORT_MS, ended);
    await (await this.measuring?.catch(() => undefined))?.close();
  }

  private measure(): Promise<Metrics> {
    this.measuring ??= import('./metrics/metrics').then(({ Metrics }) => new Metrics(this.daemon));
    return this.measuring;
  }

  private async send(): Promise<Tracing | undefined> {
    const { traces, metrics, content, endpoints } = this.signals;
    if (!traces && !metrics) return undefined;
    const { log, redactor, environment } = this.parts;
    // With a wrong address, the SDK would send to its default address.
    const wrong = endpoints.filter((name) => !isAddress(environment[name]?.trim()));
    if (wrong.length > 0) {
      log.warn(`no telemetry is sent: ${wrong.join(', ')} must hold a URL that begins with http:// or https://`);
      return undefined;
    }
    const { tellFailuresOnce } = await import('./telemetry/resource');
    tellFailuresOnce(log, (text) => redactor.redact(text), endpoints);
    if (metrics) {
      const { OtelMeter } = await import('./telemetry/otel-meter');
      const measured = await this.measure();
      const meter = new OtelMeter(() => measured.read());
      measured.add(meter);
      this.closers.push(() => meter.close());
    }
    if (!traces) return undefined;
    const { OtelTracing } = await import('./telemetry/otel-tracing');
    const tracing = new OtelTracing(content);
    if (content) log.info('traces hold prompts and answers: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is set');
    this.closers.push(() => tracing.close());
    return tracing;
  }
}

const isAddress = (value = '') => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value));

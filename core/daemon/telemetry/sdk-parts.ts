// The bundle takes this file in place of each package that `otel-tracing.ts` and `otel-meter.ts` import.
export {
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
export { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
export { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
export { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
export { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

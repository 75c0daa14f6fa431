import type { Attributes, ObservableGauge } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { defined } from '../../fields';
import { productName, productVersion } from '../../package';
import {
  type Instrument,
  type InstrumentName,
  instruments,
  type Labels,
  type Meter,
  type Reading,
} from '../metrics/instruments';
import { describeSender } from './resource';

/** The default of the conventions. */
const EVERY_MS = 60_000;

/** The same metrics as on the page for Prometheus, sent by the official SDK. */
export class OtelMeter implements Meter {
  private readonly provider: MeterProvider;
  private readonly sinks = new Map<InstrumentName, (value: number, labels: Attributes) => void>();

  constructor(read: () => Promise<readonly Reading[]>) {
    const exportIntervalMillis = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || EVERY_MS;
    const exportTimeoutMillis = Math.min(
      exportIntervalMillis,
      Number(process.env.OTEL_METRIC_EXPORT_TIMEOUT) || 30_000,
    );
    const timing = { exportIntervalMillis, exportTimeoutMillis };
    const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), ...timing });
    this.provider = new MeterProvider({ resource: describeSender(), readers: [reader] });
    const meter = this.provider.getMeter(productName, productVersion);
    const gauges = new Map<InstrumentName, ObservableGauge>();
    for (const name of Object.keys(instruments) as InstrumentName[]) {
      const { kind, unit, help: description, buckets }: Instrument = instruments[name];
      const options = { unit, description };
      if (kind === 'gauge') gauges.set(name, meter.createObservableGauge(name, options));
      else if (kind === 'counter') {
        const counter = meter.createCounter(name, options);
        this.sinks.set(name, (value, labels) => counter.add(value, labels));
      } else {
        const histogram = meter.createHistogram(name, {
          ...options,
          advice: { explicitBucketBoundaries: [...(buckets ?? [])] },
        });
        this.sinks.set(name, (value, labels) => histogram.record(value, labels));
      }
    }
    meter.addBatchObservableCallback(
      async (result) => {
        for (const { name, value, labels } of await read()) result.observe(gauges.get(name)!, value, defined(labels));
      },
      [...gauges.values()],
    );
  }

  record(name: InstrumentName, value: number, labels: Labels): void {
    this.sinks.get(name)?.(value, labels);
  }

  close(): Promise<void> {
    return this.provider.shutdown();
  }
}

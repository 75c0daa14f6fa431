import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  type Instrument,
  type InstrumentName,
  instruments,
  type Labels,
  type Meter,
  type Reading,
} from './instruments';

type Metric = Counter | Gauge | Histogram;

/** The page that Prometheus reads. Import this file when a page is asked for: a gateway without it needs no library. */
export class PrometheusMeter implements Meter {
  private readonly registry = new Registry();
  private readonly metrics: ReadonlyMap<InstrumentName, Metric>;

  constructor() {
    const names = Object.keys(instruments) as InstrumentName[];
    this.metrics = new Map(names.map((name) => [name, this.make(name, instruments[name])]));
  }

  record(name: InstrumentName, value: number, labels: Labels): void {
    const metric = this.metrics.get(name)!;
    const spelled = spellLabels(labels);
    if (metric instanceof Histogram) metric.observe(spelled, value);
    else if (metric instanceof Gauge) metric.set(spelled, value);
    else metric.inc(spelled, value);
  }

  /** The page, with what is true at this moment. */
  async page(readings: readonly Reading[]): Promise<{ type: string; text: string }> {
    // A provider that is gone must not stay.
    for (const metric of this.metrics.values()) if (metric instanceof Gauge) metric.reset();
    // A gauge without labels would be 0 where nothing is known.
    for (const { name, value, labels } of readings) this.record(name, value, labels);
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private make(name: InstrumentName, { kind, unit, help, labels, buckets = [] }: Instrument): Metric {
    const base = {
      name: prometheusName(name, { kind, unit }),
      help,
      labelNames: labels.map(labelName),
      registers: [this.registry],
    };
    if (kind === 'histogram') return new Histogram({ ...base, buckets: [...buckets] });
    return kind === 'counter' ? new Counter(base) : new Gauge(base);
  }
}

const UNITS: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', USD: '_usd' };

/** As the conventions turn a name of OpenTelemetry into one of Prometheus. */
export function prometheusName(name: string, { kind, unit }: Pick<Instrument, 'kind' | 'unit'>): string {
  return name.replaceAll('.', '_') + (UNITS[unit] ?? '') + (kind === 'counter' ? '_total' : '');
}

const labelName = (name: string) => name.replaceAll('.', '_');

function spellLabels(labels: Labels): Record<string, string> {
  const spelled: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) if (value !== undefined) spelled[labelName(name)] = value;
  return spelled;
}

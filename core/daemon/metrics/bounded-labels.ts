import { instruments, type InstrumentName, type Labels } from './instruments';

/** What stands for every value that is not told. */
export const OTHER = 'other';
/** How many values a label may have besides those of the configuration. */
const MOST_VALUES = 100;
/** How many combinations of labels an instrument may have before the open labels of a new one become `other`. */
const MOST_SERIES = 500;

/**
 * The labels whose values come from clients, backends or plug-ins. All others are words of ours or names of the configuration.
 */
const OPEN = new Set(['model', 'gen_ai.request.model', 'error.type', 'gen_ai.tool.name', 'route', 'client']);

/** Keeps the number of series bounded, whatever clients send: a watcher keeps every series for weeks. */
export class BoundedLabels {
  private readonly values = new Map<string, Set<string>>();
  private readonly series = new Map<InstrumentName, Set<string>>();
  private configured: ReadonlySet<string> = new Set();

  /** Models that the configuration names. They are always told. */
  configure(models: ReadonlySet<string>): void {
    this.configured = models;
  }

  /** A model that no configuration names is told once a backend has answered with it. */
  modelOf(model: string | undefined, hasAnswered: boolean): string | undefined {
    if (model === undefined || this.configured.has(model)) return model;
    const known = this.valuesOf('model');
    if (hasAnswered && known.size < MOST_VALUES) known.add(model);
    return known.has(model) ? model : OTHER;
  }

  /** The labels of an instrument, as few enough. */
  of(name: InstrumentName, labels: Labels): Record<string, string> {
    const bounded: Record<string, string> = {};
    for (const label of instruments[name].labels) {
      const value = labels[label];
      if (value !== undefined && value !== '') bounded[label] = this.bound(label, value);
    }
    return this.isFull(name, bounded) ? collapsed(bounded) : bounded;
  }

  private bound(label: string, value: string): string {
    if (!OPEN.has(label) || label.endsWith('model')) return value;
    const known = this.valuesOf(label);
    if (known.size < MOST_VALUES) known.add(value);
    return known.has(value) ? value : OTHER;
  }

  private isFull(name: InstrumentName, labels: Labels): boolean {
    let known = this.series.get(name);
    if (!known) this.series.set(name, (known = new Set()));
    const key = JSON.stringify(labels);
    if (known.size < MOST_SERIES) known.add(key);
    return !known.has(key);
  }

  private valuesOf(label: string): Set<string> {
    let known = this.values.get(label);
    if (!known) this.values.set(label, (known = new Set()));
    return known;
  }
}

function collapsed(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, OPEN.has(name) ? OTHER : value]));
}

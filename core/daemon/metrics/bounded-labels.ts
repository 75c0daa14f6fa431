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
  /** The values of each label, and the combinations of each instrument. */
  private readonly told = new Map<string, Set<string>>();
  private configured: ReadonlySet<string> = new Set();

  /** Models that the configuration names. They are always told. */
  configure(models: ReadonlySet<string>): void {
    this.configured = models;
  }

  /** A model that no configuration names is exported once a backend has answered with it. */
  modelOf(model: string | undefined, hasAnswered: boolean): string | undefined {
    if (model === undefined || this.configured.has(model)) return model;
    return this.admits('model', model, hasAnswered ? MOST_VALUES : 0) ? model : OTHER;
  }

  /** The labels of an instrument, as few enough. */
  of(name: InstrumentName, labels: Labels): Record<string, string> {
    const bounded: Record<string, string> = {};
    for (const label of instruments[name].labels) {
      const value = labels[label];
      if (value !== undefined && value !== '') bounded[label] = this.bound(label, value);
    }
    return this.admits(name, JSON.stringify(bounded), MOST_SERIES) ? bounded : collapsed(bounded);
  }

  private bound(label: string, value: string): string {
    if (!OPEN.has(label) || label.endsWith('model')) return value;
    return this.admits(label, value, MOST_VALUES) ? value : OTHER;
  }

  /** Whether a value is among the first `most` values of its label or instrument. Only these are exported. */
  private admits(of: string, value: string, most: number): boolean {
    const known = this.told.get(of) ?? new Set();
    this.told.set(of, known);
    if (known.size < most) known.add(value);
    return known.has(value);
  }
}

function collapsed(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, OPEN.has(name) ? OTHER : value]));
}

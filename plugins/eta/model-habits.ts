/** What one model takes, as far as the vendor's refusals have told. */
export class Habits {
  /** The older form of thinking, with a budget. */
  takesBudget = true;
  /** The newer form, where the model itself decides how much it thinks. */
  takesAdaptive = true;
  takesDisplay = true;
  takesBreakpoints = true;
  takesStrictTools = true;
  /** The most output tokens that the model can be asked for. */
  mostTokens = Infinity;
  /** Request fields that it does not know. */
  readonly fields = new Set<string>();
  /** Fields with one value each, as `pairOf` spells them. */
  readonly values = new Set<string>();
}

/** Clients name the models: as many are remembered. */
const MODEL_LIMIT = 200;

/** Remembers the habits of models, so that each refusal costs one request only. */
export class ModelHabits {
  private readonly models = new Map<string, Habits>();

  of(model: string): Habits {
    const known = this.models.get(model);
    if (known) return known;
    const [oldest] = this.models.keys();
    if (oldest !== undefined && this.models.size >= MODEL_LIMIT) this.models.delete(oldest);
    const habits = new Habits();
    this.models.set(model, habits);
    return habits;
  }
}

export function pairOf(name: string, value: unknown): string {
  return `${name}=${JSON.stringify(value)}`;
}

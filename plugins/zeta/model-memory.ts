/** What one model has refused so far, and what is sent to it instead. */
export interface ModelMemory {
  /** Request fields, by the client's names. */
  fields: Set<string>;
  /** How a thinking budget is spelled; `none` leaves it out. */
  budgetAs: 'budget' | 'level' | 'none';
  /** The model knows no system instruction. */
  takesSystem: boolean;
  /** The model refuses tool calls of the past that nobody signed. */
  wantsSignatures: boolean;
}

/** Clients name the models: as many are remembered. */
const MODEL_LIMIT = 200;

/** Remembers per model what the vendor refused, so that each refusal costs one request only. */
export class ModelMemories {
  private readonly models = new Map<string, ModelMemory>();

  of(model: string): ModelMemory {
    const known = this.models.get(model);
    if (known) return known;
    const [oldest] = this.models.keys();
    if (oldest !== undefined && this.models.size >= MODEL_LIMIT) this.models.delete(oldest);
    const memory: ModelMemory = { fields: new Set(), budgetAs: 'budget', takesSystem: true, wantsSignatures: false };
    this.models.set(model, memory);
    return memory;
  }
}

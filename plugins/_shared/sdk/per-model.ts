/** Clients name the models: as many are remembered. */
const MODEL_LIMIT = 200;

/** What is known of each model. The oldest makes room for a new one. */
export class PerModel<Memory> {
  private readonly models = new Map<string, Memory>();

  constructor(private readonly make: () => Memory) {}

  find(model: string): Memory | undefined {
    return this.models.get(model);
  }

  /** Makes what is not there yet. */
  of(model: string): Memory {
    const known = this.models.get(model);
    if (known !== undefined) return known;
    const [oldest] = this.models.keys();
    if (oldest !== undefined && this.models.size >= MODEL_LIMIT) this.models.delete(oldest);
    const memory = this.make();
    this.models.set(model, memory);
    return memory;
  }
}

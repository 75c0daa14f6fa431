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

export function pairOf(name: string, value: unknown): string {
  return `${name}=${JSON.stringify(value)}`;
}

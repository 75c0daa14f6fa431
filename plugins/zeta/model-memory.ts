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

export function newModelMemory(): ModelMemory {
  return { fields: new Set(), budgetAs: 'budget', takesSystem: true, wantsSignatures: false };
}

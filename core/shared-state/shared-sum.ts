/** A sum that all machines add to, after an addition. */
export interface SharedSum {
  sum: number;
  /** How long it goes on, in ms. */
  leftMs: number;
}

/** What one machine has added to a sum: its name, and the amount. */
export type Part = [name: string, amount: number];

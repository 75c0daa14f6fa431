/** A sum that all machines add to, after an addition. */
export interface SharedSum {
  sum: number;
  /** How long it goes on, in ms. */
  leftMs: number;
}

/** What the process that loads a plug-in notes down, in this order, one line of JSON each. */
export type TrialNote =
  | { at: 'import' }
  | { at: 'imported'; ms: number }
  | { at: 'import-failed'; reason: string }
  | { at: 'no-factory'; reason: string }
  /** The factory was not called: these options have no value that could be made up. */
  | { at: 'not-made'; options: string[] }
  | { at: 'make' }
  | { at: 'made' }
  | { at: 'make-failed'; reason: string }
  /** What was opened until the driver was made, in words. */
  | { at: 'opened'; what: string[] }
  | { at: 'rejected'; reason: string }
  | { at: 'end' };

/** What an `assistant` event carries: a piece of a text, or the whole of it, under the id of the model's call if it has one. */
export interface Said {
  isPiece: boolean;
  callId: string | undefined;
}

/**
 * Tells new text from text that the CLI says again: with partial output each text comes in pieces, then as a whole, before a
 * tool call and at the end of the run; without, as a whole only. Known by what it belongs to, never by its words: two
 * pieces may be alike.
 */
export class Segment {
  /** Whether something of the current text came in pieces. */
  hasPieces = false;
  /** Whether the current text has come as a whole. */
  private isWhole = false;
  /** The calls whose text is known. */
  private readonly known = new Set<string>();

  /** Whether the event's text is new. */
  take({ isPiece, callId }: Said): boolean {
    if (isPiece) {
      // After the whole of a text comes the next one.
      this.isWhole = false;
      this.hasPieces = true;
      return true;
    }
    const isKnown = callId === undefined ? this.isWhole : this.known.has(callId);
    const isNew = !isKnown && !this.hasPieces;
    if (callId !== undefined) this.known.add(callId);
    this.isWhole = true;
    this.hasPieces = false;
    return isNew;
  }

  /** A tool call ends the text before it. */
  end(callId: string | undefined): void {
    if (callId !== undefined && this.hasPieces) this.known.add(callId);
    this.hasPieces = false;
    this.isWhole = false;
  }
}

/**
 * Tells new text from text that the CLI repeats. With partial output each text comes in pieces, then as a whole, before a
 * tool call and at the end of the run. Without, it comes as a whole only. A repetition is known by what the text belongs to,
 * never by its words, because two pieces may be alike.
 */
export class Segment {
  /** Whether something of the current text came in pieces. */
  hasPieces = false;
  /** Whether the current text has come as a whole. */
  private isWhole = false;
  /** The calls whose text is known. */
  private readonly known = new Set<string>();

  /** Whether the text of an `assistant` event is new. `callId`: the model's call, if the event names it. */
  take(isPiece: boolean, callId: string | undefined): boolean {
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

  end(callId: string | undefined): void {
    if (callId !== undefined && this.hasPieces) this.known.add(callId);
    this.hasPieces = false;
    this.isWhole = false;
  }
}

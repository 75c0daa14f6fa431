/** Takes the events of a response, without their numbers. */
export interface EventSink {
  write(type: string, fields: object): void;
  /** The same for a piece of a text. `place` is the JSON of its other fields, without braces: pieces are many. */
  piece(type: string, place: string, delta: string): void;
}

/** For a response that is sent whole. */
export const NO_EVENTS: EventSink = { write: () => undefined, piece: () => undefined };

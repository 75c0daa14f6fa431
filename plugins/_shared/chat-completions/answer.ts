/** What a server answered with, as the readers of this folder take it. */
export interface WireAnswer {
  readonly contentType: string;
  /** The data of server-sent events. */
  events(): AsyncIterable<string>;
  json(): Promise<unknown>;
}

/** An event of a stream. */
export interface WireEvent {
  type: string;
  [field: string]: unknown;
}

/** Programs of this wire read no frame without the line of its name. */
export function frame(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

import type { EventStream } from './event-stream';
import { isText, type ProcessEvent } from './process-event';

interface FollowedRecord {
  stream: EventStream;
  uuid: string;
  /** The events on disk, up to now. */
  recorded: () => AsyncIterable<ProcessEvent>;
}

/** The events of a process up to its exit: from the stream, or from the record where the stream has dropped them. */
export async function* followProcess(
  { stream, uuid, recorded }: FollowedRecord,
  from: number,
  signal?: AbortSignal,
): AsyncGenerator<ProcessEvent, void> {
  const position = new Position(from);
  for await (const batch of stream.subscribeTo(uuid, from, signal)) {
    for (const item of batch) {
      if ('type' in item) {
        if (!position.advance(item)) continue;
        yield item;
        if (item.type === 'exit') return;
      } else {
        for await (const event of position.rest(recorded())) {
          yield event;
          if (event.type === 'exit') return;
        }
      }
    }
  }
}

/** How far a reader is. The record joins pieces of text, and the reader may have the first of them already. */
class Position {
  /** The characters of text since the last event of another kind. */
  private characters = 0;

  constructor(private next: number) {}

  /** False for an event that the reader has. */
  advance(event: ProcessEvent): boolean {
    if (event.seq < this.next) return false;
    this.next = event.seq + 1;
    this.characters = isText(event) ? this.characters + event.text.length : 0;
    return true;
  }

  /** The part of a record that the reader does not have. */
  async *rest(events: AsyncIterable<ProcessEvent>): AsyncGenerator<ProcessEvent, void> {
    let characters = 0;
    for await (const event of events) {
      const before = characters;
      characters = isText(event) ? before + event.text.length : 0;
      if (event.seq < this.next) continue;
      const known = Math.max(0, this.characters - before);
      this.next = event.seq + 1;
      this.characters = characters;
      yield isText(event) && known > 0 ? { ...event, text: event.text.slice(known) } : event;
    }
  }
}

import type { EventStream } from '../record/event-stream';
import type { ProcessEvent } from '../record/process-event';

export interface FollowParts {
  stream: EventStream;
  uuid: string;
  /** The id of the stream's last event before those of the process. */
  since: number;
  /** The events on disk, as far as there are any. */
  recorded: () => AsyncIterable<ProcessEvent>;
}

/**
 * The events of a process from a number on, up to its exit: from the stream, and where that no longer has them, from
 * the record.
 */
export async function* followEvents(
  parts: FollowParts,
  from: number,
  signal?: AbortSignal,
): AsyncGenerator<ProcessEvent, void> {
  const { stream, uuid, since, recorded } = parts;
  const seen = new Seen(from);
  const stop = new AbortController();
  const leave = () => stop.abort();
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  try {
    for await (const batch of stream.subscribe({ after: since, signal: stop.signal })) {
      for (const item of batch) {
        if (item.kind === 'gap') {
          for await (const event of recorded()) {
            const rest = seen.recorded(event);
            if (rest) yield rest;
            if (event.type === 'exit') return;
          }
        } else if (item.kind === 'process' && item.uuid === uuid) {
          const rest = seen.live(item.event);
          if (rest) yield rest;
          if (item.event.type === 'exit') return;
        }
      }
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    stop.abort();
  }
}

/** Knows what was passed on. In the record, pieces of text are joined: the first of them may have been seen. */
class Seen {
  /** The pieces of text since the last event of another kind. */
  private pieces: { seq: number; length: number }[] = [];

  constructor(private next: number) {}

  live(event: ProcessEvent): ProcessEvent | undefined {
    if (event.seq < this.next) return undefined;
    this.next = event.seq + 1;
    if (!isText(event)) this.pieces = [];
    else this.pieces.push({ seq: event.seq, length: event.text.length });
    return event;
  }

  recorded(event: ProcessEvent): ProcessEvent | undefined {
    if (event.seq < this.next || !isText(event)) {
      this.pieces = this.pieces.filter(({ seq }) => seq > event.seq);
      return this.live(event);
    }
    const known = this.pieces.reduce((sum, { length }) => sum + length, 0);
    return this.live(known === 0 ? event : { ...event, text: event.text.slice(known) });
  }
}

function isText(event: ProcessEvent): event is Extract<ProcessEvent, { type: 'text' | 'reasoning' }> {
  return event.type === 'text' || event.type === 'reasoning';
}

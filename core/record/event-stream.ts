import type { LiveEvent, LiveEventBody } from './live-event';
import type { ProcessEvent } from './process-event';
import { type Gap, EventTail } from './event-tail';

/** How many events are kept, and how many characters their texts may have together. */
const LIMITS = { events: 10_000, characters: 16 * 1024 * 1024 };
/** The ids of a daemon stay below those of the next one as long as it has fewer events than this per millisecond. */
const IDS_PER_MS = 1_000;

/** Everything that happens in a daemon. The latest events are kept, for all subscribers together. */
export class EventStream {
  private readonly all = new EventTail<LiveEvent>(Date.now() * IDS_PER_MS);
  /** The events of each process that are kept. */
  private readonly processes = new Map<string, EventTail<ProcessEvent>>();
  private characters = 0;

  constructor(private readonly limits = LIMITS) {}

  get lastId(): number {
    return this.all.lastNumber;
  }

  publish(body: LiveEventBody): LiveEvent {
    if (this.all.length === this.limits.events) this.dropOldest();
    const event: LiveEvent = { id: this.lastId + 1, time: Date.now(), ...body };
    this.all.add(event);
    if (event.kind === 'process') this.addToProcess(event.uuid, event.event);
    this.characters += textLength(event);
    while (this.characters > this.limits.characters && this.all.length > 1) this.dropOldest();
    return event;
  }

  /** The events to come, or those after an id, in batches. Ends when the signal fires. */
  subscribe(signal: AbortSignal, after = this.lastId): AsyncIterable<(LiveEvent | Gap)[]> {
    return this.all.follow(this.next(after), signal);
  }

  /** The events after an id, up to now. */
  read(after: number): (LiveEvent | Gap)[] {
    return this.all.read(this.next(after));
  }

  /** An id from the future is of another daemon, whose clock ran ahead: what the reader missed is unknown. */
  private next(after: number): number {
    return after > this.lastId ? 0 : after + 1;
  }

  /** The events of one process from a number on. Ends after a gap when none is kept any more. */
  async *subscribeTo(uuid: string, from: number, signal?: AbortSignal): AsyncGenerator<(ProcessEvent | Gap)[], void> {
    const tail = this.processes.get(uuid);
    if (tail) yield* tail.follow(from, signal);
    else yield [{ kind: 'gap', from, to: Infinity }];
  }

  private addToProcess(uuid: string, event: ProcessEvent): void {
    let tail = this.processes.get(uuid);
    if (!tail) this.processes.set(uuid, (tail = new EventTail(event.seq)));
    tail.add(event);
  }

  private dropOldest(): void {
    const event = this.all.drop();
    this.characters -= textLength(event);
    if (event.kind !== 'process') return;
    this.processes.get(event.uuid)?.drop();
    if (event.event.type === 'exit') this.processes.delete(event.uuid);
  }
}

/** The long fields are texts of the model and of tools. A request has none of them; its names are cut. */
function textLength(live: LiveEvent): number {
  if (live.kind === 'request') return live.event.type === 'end' ? (live.event.error?.length ?? 0) : 0;
  const fields = live.event as Record<string, unknown>;
  let length = 0;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string') length += value.length;
  }
  return length;
}

import type { ChatEvent, ChatRequest, Warmth } from '../contract/api';
import type { StepUsage } from './usage';

/** What an event costs in memory besides its text. */
const EVENT_BYTES = 64;
/** One exchange must not drive out all the others. */
const MOST_BYTES = 4 * 1024 * 1024;

/** `code`: that of the contract with drivers; absent for a target that was not asked. */
interface AskFailure {
  kind: string;
  message: string;
  code?: string;
  status?: number | undefined;
}

/** A provider that was asked for an answer, or was to be. Times are on the clock of `performance`. */
export class Ask {
  model: string | undefined;
  /** When it began to wait for a slot; undefined where the provider has no `max_concurrency`. */
  queuedAt: number | undefined;
  askedAt: number | undefined;
  /** The first words of the answer. */
  firstAt: number | undefined;
  endedAt: number | undefined;
  failure: AskFailure | undefined;

  constructor(
    readonly provider: string,
    readonly driver: string | undefined,
  ) {}

  start(askedAt: number, model: string | undefined): void {
    this.askedAt = askedAt;
    this.model = model;
  }

  /** Copies what it shows: an error keeps what was at work where it was made, such as the response and what it has not sent. */
  fail({ kind, message, code, status }: AskFailure): void {
    this.failure = { kind, message, code, status };
    this.endedAt = performance.now();
  }
}

/** What is known of a request when it arrives. */
export interface ExchangeHead {
  id: string;
  kind: string;
  dialect: string;
  path: string;
  client: string | undefined;
  agent: string | undefined;
  /** In ms since the epoch. */
  arrivedAt: number;
  /** On the clock of `performance`. */
  startedMs: number;
}

/** What is known of a request when it has ended. */
interface ExchangeEnd {
  status: number;
  ms: number;
  overheadMs: number;
  provider: string | undefined;
  route: string | undefined;
  used: { usage?: StepUsage; model?: string; costUsd: number; nominalUsd?: number; warm?: Warmth } | undefined;
  /** The message of the failure. */
  error: string | undefined;
}

/** Prompt and answer. The body and the events are those that the request was served with: nothing is copied. */
interface ExchangeContent {
  body?: Buffer;
  /** The headers that belong to the wire, such as its version. */
  wireHeaders?: Record<string, string> | undefined;
  events: ChatEvent[];
}

/**
 * A request in the flight recorder: it grows while the request runs. Speed: it takes the times that others have measured, because
 * asking the clock costs more than all else here.
 */
export class Exchange {
  asks: readonly Ask[] = [];
  model: string | undefined;
  isStream = false;
  /** When its body was there, on the clock of `performance`. */
  readAt: number | undefined;
  requestBytes = 0;
  /** Undefined as long as it runs. */
  end: ExchangeEnd | undefined;
  /** Undefined: it is too large, or others needed the place. */
  content: ExchangeContent | undefined = { events: [] };
  /** In bytes, about. */
  size = 0;

  constructor(
    readonly head: ExchangeHead,
    private readonly grow: (bytes: number) => void,
  ) {}

  noteBody(body: Buffer, readAt: number): void {
    this.readAt = readAt;
    this.requestBytes = body.length;
    if (!this.content) return;
    this.content.body = body;
    this.add(body.length);
  }

  noteCall({ model, isStream, chat }: { model: string; isStream: boolean; chat?: ChatRequest }): void {
    this.model = model;
    this.isStream = isStream;
    if (this.content) this.content.wireHeaders = chat?.origin?.headers;
  }

  /** A provider is about to be asked. The events of the provider before it are no part of the answer. */
  open(provider: string, driver?: string): Ask {
    const ask = new Ask(provider, driver);
    // Most requests ask one provider; a list that is pushed to has places for 17.
    this.asks = [...this.asks, ask];
    if (this.content && this.content.events.length > 0) this.content.events = [];
    return ask;
  }

  /** A target of a route is passed over. */
  skip(provider: string, kind: string, message: string): void {
    this.open(provider).fail({ kind, message });
  }

  noteFirst(at: number): void {
    this.asks.at(-1)!.firstAt = at;
  }

  /** An event as it goes to the client. What a wire repeats in its own words is left out. */
  take(event: ChatEvent): void {
    if (!this.content || event.type === 'native') return;
    this.content.events.push(event);
    this.add(EVENT_BYTES + lengthOf(event));
  }

  /** Forgets prompt and answer, and gives their place back. */
  dropContent(): void {
    this.content = undefined;
    this.grow(-this.size);
    this.size = 0;
  }

  private add(bytes: number): void {
    this.size += bytes;
    this.grow(bytes);
    if (this.size > MOST_BYTES) this.dropContent();
  }
}

/** Two bytes a character are the most that a text takes. */
function lengthOf(event: ChatEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return 2 * event.text.length;
    case 'tool_call':
      return 2 * (event.arguments?.length ?? 0);
    default:
      return 0;
  }
}

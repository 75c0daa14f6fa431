import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Call, ChatEvent, ChatRequest, Driver, Usage } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { checkEvent } from './check-event';
import { LONGEST_PIECE, piecesOf } from './pieces-of';
import type { ProviderSettings } from './settings';

const EVENTS_PER_TURN = 64;

/** Takes one event of the answer. A promise means: wait, the reader is slower than the driver. */
export type Emit = (event: ChatEvent) => Promise<void> | undefined;

export interface TurnResult {
  usage: Usage | undefined;
  /** The model the driver used, as far as it said. */
  model: string | undefined;
  costUsd: number;
}

/** Reads the driver's events, passes them on, and knows when the answer is complete. */
export class Answer {
  readonly complete: Promise<TurnResult>;
  private resolve!: (result: TurnResult) => void;
  private reject!: (error: Error) => void;
  private usage: Usage | undefined;
  private model: string | undefined;
  private substance = false;
  /** Whether nothing has come yet that somebody could see. */
  isSilent = true;
  private readonly finished = new Set<number>();
  /** Choices that hold a tool call. */
  private readonly calling = new Set<number>();
  /** Whether a choice ended for another reason than `stop`: it may be empty. */
  private endedEarly = false;

  constructor(
    private readonly choices: number,
    private readonly emit: Emit,
    private readonly settings: ProviderSettings,
    /** Told of an event that the contract does not know. */
    private readonly noteUnknown: (type: unknown) => void,
  ) {
    this.complete = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Runs the driver to its end; keeps nothing of the request, which may be large and the answer long. Never rejects: what goes wrong is the failure of the answer. */
  async run(driver: Driver, request: ChatRequest, call: Call): Promise<void> {
    const { signal } = call;
    // The driver may not listen, and the client must not wait for it.
    signal.addEventListener('abort', () => this.reject(signal.reason as Error));
    try {
      if (signal.aborted) throw signal.reason;
      await this.read(asEvents(driver.chat(request, call)), signal);
    } catch (error) {
      this.reject(error as Error);
    }
  }

  /** What is known so far. */
  result(): TurnResult {
    return { usage: this.usage, model: this.model, costUsd: this.cost() };
  }

  private async read(events: AsyncIterable<ChatEvent>, signal: AbortSignal): Promise<void> {
    let count = 0;
    for await (const event of events) {
      // A driver that never waits for anything would keep the clock, and everybody else, from their turn.
      if (++count % EVENTS_PER_TURN === 0) await nextTurn();
      // After its finish a driver winds its work down; what it still says is not waited for, it may never end.
      if (signal.aborted || this.isComplete()) return;
      try {
        if (!checkEvent(event, this.choices)) {
          this.noteUnknown(event.type);
          continue;
        }
        const isLong = event.type === 'text' && event.text.length > LONGEST_PIECE;
        const wait = isLong ? this.takeInTurns(event, signal) : this.take(event);
        if (wait) await wait;
      } catch (error) {
        // Not thrown: leaving the loop waits for the driver's cleaning up, and the client must not.
        this.reject(error as Error);
        return;
      }
      if (this.isComplete()) this.resolve(this.result());
    }
    if (!this.isComplete()) {
      const message = `the answer was cut short: driver "${this.settings.driver}" ended without a finish`;
      throw new DriverError('protocol', message, { kind: 'truncated' });
    }
  }

  /** A driver may give megabytes at once: each piece goes to the client in a turn of its own. */
  private async takeInTurns(event: Extract<ChatEvent, { type: 'text' }>, signal: AbortSignal): Promise<void> {
    for (const text of piecesOf(event.text)) {
      if (signal.aborted) return;
      await this.take({ ...event, text });
      await nextTurn();
    }
  }

  private take(event: ChatEvent): Promise<void> | undefined {
    this.isSilent &&= event.type === 'meta' || event.type === 'usage';
    if (event.type === 'finish') return this.finish(event);
    return this.finished.size > 0 && this.isTooLate(event) ? undefined : this.pass(event);
  }

  /** Content of a choice that has finished already. */
  private isTooLate(event: ChatEvent): boolean {
    const isContent = event.type === 'text' || event.type === 'reasoning' || event.type === 'tool_call';
    return isContent && this.finished.has(event.choice ?? 0);
  }

  private pass(event: ChatEvent): Promise<void> | undefined {
    switch (event.type) {
      case 'text':
        if (event.text.length === 0) return undefined;
        this.substance = true;
        break;
      case 'tool_call':
        this.substance = true;
        this.calling.add(event.choice ?? 0);
        break;
      case 'extra':
        this.substance ||= carriesContent(event.delta);
        break;
      case 'usage':
        this.usage = event;
        break;
      case 'meta':
        this.model = event.model ?? this.model;
        break;
      default:
    }
    return this.emit(event);
  }

  private finish(event: Extract<ChatEvent, { type: 'finish' }>): Promise<void> | undefined {
    const choice = event.choice ?? 0;
    if (this.finished.has(choice)) return undefined;
    this.finished.add(choice);
    this.endedEarly ||= event.reason !== 'stop';
    if (this.isComplete() && !this.substance && !this.endedEarly) {
      throw new DriverError('upstream', 'the backend gave an empty answer', { kind: 'empty' });
    }
    // Some backends say `stop` after a tool call, and clients would not run it.
    const reason = event.reason === 'stop' && this.calling.has(choice) ? 'tool_calls' : event.reason;
    return this.emit({ ...event, reason });
  }

  private isComplete(): boolean {
    return this.finished.size === this.choices;
  }

  private cost(): number {
    if (!this.usage) return 0;
    return (this.usage.inputTokens + this.usage.outputTokens) * this.settings.costPerToken;
  }
}

/** A driver may be plain JavaScript. */
function asEvents(made: AsyncIterable<ChatEvent>): AsyncIterable<ChatEvent> {
  if (typeof (made as Partial<typeof made> | undefined)?.[Symbol.asyncIterator] === 'function') return made;
  throw new TypeError('its chat() has to be an async generator: async *chat(request, call) { yield ... }');
}

/** A refusal or a spoken answer is no text, yet an answer. Lists are annotations, and say nothing alone. */
function carriesContent(delta: Record<string, unknown> = {}): boolean {
  return Object.values(delta).some((value) =>
    typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}

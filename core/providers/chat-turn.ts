import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Call, ChatEvent, ChatRequest, Driver } from '../contract/api';
import { type Ending, endingOf } from '../contract/call-end';
import { DriverError } from '../contract/driver-error';
import type { SpanFacts } from '../contract/work-span';
import type { Estimate } from '../limits/limits';
import type { Redactor } from '../contract/redact';
import type { Guess } from '../record/ledger';
import { AnswerFacts } from './answer-facts';
import type { CallReader } from './call';
import { CallContent } from '../record/call-content';
import type { Caller, Used } from './caller';
import { asEvents, carriesContent, checkEvent, isSeen } from './check-event';
import { type Emit, joinPieces, LONGEST_PIECE, piecesOf } from './emit';
import { prepareRequest } from './prepare-request';
import type { ProviderSettings } from './settings';
import { cutShort } from './to-failure';

/** A driver that never waits must not keep the event loop for longer than this many events. */
const EVENTS_PER_TURN = 64;

interface ChatTarget extends ProviderSettings {
  noteUnknownEvent(type: unknown): void;
}

/** The call that is a chat: passes the driver's events on, and knows when the answer is complete. */
export class ChatTurn implements CallReader<Used> {
  readonly complete: Promise<Used>;
  readonly operation = 'chat';
  readonly isStream: boolean;
  model: string | undefined;
  isSilent = true;
  private resolve!: (result: Used) => void;
  private reject!: (error: Error) => void;
  private readonly choices: number;
  private readonly facts: AnswerFacts;
  private ignored: string[] = [];
  private content: CallContent | undefined;
  private askedAt = 0;
  private firstMs: number | undefined;
  private substance = false;
  private finished: Set<number> | undefined;
  /** The choices that call tools. */
  private calling: Set<number> | undefined;
  /** Whether a choice ended before the model had said all: it may be empty. */
  private endedEarly = false;

  constructor(
    private readonly target: ChatTarget,
    private request: ChatRequest,
    private emit: Emit,
    private readonly caller: Pick<Caller, 'workspace' | 'session' | 'exchange'>,
  ) {
    this.isStream = request.stream;
    this.facts = new AnswerFacts(target, !request.stream || caller.workspace !== undefined);
    this.choices = Math.max(1, request.choices ?? 1);
    this.complete = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  prepare(): void {
    const { request, ignored } = prepareRequest(this.request, this.target);
    this.request = request;
    this.ignored = ignored;
    this.model = request.model;
    if (this.isStream && !request.stream) this.emit = joinPieces(this.emit);
  }

  estimate(): Estimate {
    const { request, facts, choices } = this;
    return this.target.prices.estimate([this.model], facts.weigh(request), choices, request.maxTokens);
  }

  weigh(): void {
    this.facts.weigh(this.request);
  }

  async run(driver: Driver, call: Call): Promise<void> {
    const end = endingOf(call);
    // The driver may not listen, and the client must not wait for it.
    end.addEventListener('abort', () => this.reject(end.reason!));
    try {
      end.throwIfAborted();
      this.askedAt = performance.now();
      this.facts.fitSession(call, this.request, this.caller);
      if (this.ignored.length > 0) await this.emit({ type: 'meta', ignored: this.ignored });
      let count = 0;
      for await (const event of asEvents(driver.chat(this.takeRequest(), call))) {
        if (++count % EVENTS_PER_TURN === 0) await nextTurn();
        // A driver winds down after its finish, and may never end: events after it are not waited for.
        if (end.aborted || this.isComplete()) return;
        try {
          const wait = this.takeChecked(event, end);
          if (wait) await wait;
        } catch (error) {
          // Not thrown: leaving the loop waits until the driver has cleaned up, and the client must not.
          this.reject(error as Error);
          return;
        }
        if (this.isComplete()) this.resolve(this.used());
      }
      if (!this.isComplete()) throw cutShort(this.target.driverAlias);
    } catch (error) {
      this.reject(error as Error);
    }
  }

  used(): Used {
    return this.facts.used(this.firstMs, this.model);
  }

  guess(): Guess | undefined {
    return this.isSilent ? undefined : this.facts.guess(this.model);
  }

  asked(redactor: Redactor): SpanFacts {
    return (this.content = new CallContent(redactor)).asked(this.request);
  }

  said(): SpanFacts | undefined {
    return this.content?.said();
  }

  /** A request may be large and its answer long: nothing here keeps the request meanwhile. */
  private takeRequest(): ChatRequest {
    const { request } = this;
    this.request = { stream: false, messages: [], extra: {} };
    return request;
  }

  private takeChecked(event: ChatEvent, end: Ending): Promise<void> | undefined {
    if (!checkEvent(event, this.choices)) {
      this.target.noteUnknownEvent(event.type);
      return undefined;
    }
    const isLong = event.type === 'text' && event.text.length > LONGEST_PIECE;
    return isLong ? this.takeInTurns(event, end) : this.take(event);
  }

  /** A driver may give megabytes at once: each piece goes to the client in its own turn of the event loop. */
  private async takeInTurns(event: Extract<ChatEvent, { type: 'text' }>, end: Ending): Promise<void> {
    for (const text of piecesOf(event.text)) {
      if (end.aborted) return;
      await this.take({ ...event, text });
      await nextTurn();
    }
  }

  private take(event: ChatEvent): Promise<void> | undefined {
    if (this.isSilent && isSeen(event)) {
      this.isSilent = false;
      const now = performance.now();
      this.firstMs = Math.round(now - this.askedAt);
      this.caller.exchange?.noteFirst(now);
    }
    if (event.type === 'finish') return this.finish(event);
    return this.finished && this.isTooLate(event) ? undefined : this.pass(event);
  }

  /** Whether it is content of a choice that has finished already. */
  private isTooLate(event: ChatEvent): boolean {
    const isContent = event.type === 'text' || event.type === 'reasoning' || event.type === 'tool_call';
    return isContent && this.finished!.has(event.choice ?? 0);
  }

  private pass(event: ChatEvent): Promise<void> | undefined {
    if (event.type === 'text' && event.text.length === 0) return undefined;
    if (!this.facts.note(event)) return undefined;
    if (event.type === 'text' || event.type === 'tool_call') this.substance = true;
    if (event.type === 'tool_call') (this.calling ??= new Set()).add(event.choice ?? 0);
    if (event.type === 'extra') this.substance ||= carriesContent(event.delta);
    this.caller.exchange?.take(event);
    this.content?.take(event);
    return this.emit(event);
  }

  private finish(event: Extract<ChatEvent, { type: 'finish' }>): Promise<void> | undefined {
    const choice = event.choice ?? 0;
    this.finished ??= new Set();
    if (this.finished.has(choice)) return undefined;
    this.finished.add(choice);
    this.endedEarly ||= event.reason !== 'stop' || event.stopSequence !== undefined;
    if (this.isComplete() && !this.substance && !this.endedEarly) {
      throw new DriverError('upstream', 'the backend gave an empty answer', { kind: 'empty' });
    }
    // Some backends say `stop` after a tool call, and clients would not run the tool.
    const reason = event.reason === 'stop' && this.calling?.has(choice) ? 'tool_calls' : event.reason;
    const last = reason === event.reason ? event : { ...event, reason };
    this.caller.exchange?.take(last);
    this.content?.take(last);
    return this.emit(last);
  }

  private isComplete(): boolean {
    return this.finished?.size === this.choices;
  }
}

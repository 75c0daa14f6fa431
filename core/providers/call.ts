import type { Call, Driver, Logger } from '../contract/api';
import { waitAtMost } from '../contract/wait-at-most';
import { LONGEST_TIMER_MS } from '../contract/wall-clock';
import type { Redactor } from '../contract/redact';
import { type SpanFacts, within, type WorkSpan } from '../contract/work-span';
import { codeOf } from '../errors';
import type { CallFacts, Guess, LedgerEntry } from '../record/ledger';
import type { Estimate, Limits } from '../limits/limits';
import { noteDepth } from '../subprocess/depth';
import type { Slots } from '../limits/slots';
import { isRefusal } from './refusal';
import { type Admission, admit } from './admission';
import { CallAborted, CallClock, timeoutHint, timeoutMs, untilAborted } from './call-clock';
import { callEntry } from './call-entry';
import { endCallSpan, openCallSpan } from './call-span';
import { type Caller, DriverCall, type Used } from './caller';
import type { HealthWatch } from './health';
import type { Rests } from './rests';
import type { ProviderSettings } from './settings';
import { toFailure } from './to-failure';

/** Codes of failures that come before an agent starts to work. */
const NOT_STARTED: ReadonlySet<string> = new Set(['not_installed', 'auth', 'invalid_request']);

/** How long a call keeps its slot after its answer if its driver does not end. */
const STUCK_AFTER_MS = 30_000;

/** The parts of a provider that a call works with. */
interface CallTarget extends ProviderSettings {
  /** Undefined where any number of calls may run at once. */
  readonly slots: Slots | undefined;
  readonly redactor: Redactor;
  readonly log: Logger;
  /** Takes what each call used; undefined where there is no ledger. */
  readonly book: ((entry: LedgerEntry) => void) | undefined;
  readonly readyDriver: Driver | undefined;
  openDriver(): Promise<Driver>;
  readonly watch: Pick<HealthWatch, 'noteSuccess' | 'noteFailure'>;
  readonly restBook: Pick<Rests, 'count' | 'noteSuccess' | 'noteFailure'>;
  /** Undefined where the provider has none. */
  readonly limits: Limits | undefined;
}

/** What one kind of call asks the driver, and how it reads the answer. `runCall` does the rest, for all kinds. */
export interface CallReader<Result extends Used> {
  /** Whether the answer comes in pieces: a stream has a longer time limit. */
  readonly isStream: boolean;
  readonly operation: CallFacts['operation'];
  /** The model that is asked for; the ledger books it where the driver names none. */
  readonly model: string | undefined;
  /** Whether the driver has not said anything yet that a user could see. */
  readonly isSilent: boolean;
  /** Set by `run`. Settles when the answer is complete or has failed; the driver may still be winding down. */
  readonly complete: Promise<Result>;
  /** Fits the request to the provider, before the queue. Throws where the provider cannot do what is asked. */
  prepare(): void;
  /** What the call may cost; asked after `prepare`, and only where there is a budget. */
  estimate(): Estimate;
  /**
   * Asks the driver, and reads until it ends. Never rejects: a failure rejects `complete`, and so does the signal of
   * the call, because the driver may not listen to it.
   */
  run(driver: Driver, call: Call): Promise<void>;
  used(): Used;
  /** Prepares `guess`; called after `prepare`, and only where there are limits. */
  weigh?(): void;
  /** What a call that has failed has used about; undefined where that is known, or where nothing was said. */
  guess?(): Guess | undefined;
  /** The prompt, for a trace that takes content; called after `prepare`, and never where none does. */
  asked?(redactor: Redactor): SpanFacts;
  /** The answer; undefined where `asked` was not called. */
  said?(): SpanFacts | undefined;
}

/**
 * One call: the only way to a driver, for the gateway and for agents. It owns the queue, the clock, health, the ledger
 * and redaction, and knows nothing of what is asked. Rejects with a DriverError or a QueueFullError.
 */
export async function runCall<Result extends Used>(
  target: CallTarget,
  caller: Caller,
  reader: CallReader<Result>,
): Promise<Result> {
  const { slots, restBook } = target;
  const { limit, own } = caller;
  const failuresSeen = restBook.count;
  const ask = caller.exchange?.open(target.name, target.driverAlias);
  let running: Promise<void> | undefined;
  let admission: Admission | undefined;
  let askedAt = 0;
  let isQueued = true;
  let span: WorkSpan | undefined;
  const hint = () => timeoutHint(target, running !== undefined && reader.isSilent, limit?.hint);
  const timeLimit = Math.min(limit?.ms ?? timeoutMs(target, reader.isStream, caller.patienceS), LONGEST_TIMER_MS);
  const clock = new CallClock(timeLimit, caller.abort, hint);
  if (!caller.isPatient) clock.start(caller.arrivedAt);
  try {
    reader.prepare();
    const { reading } = target.prices;
    if (reading) await untilAborted(reading, clock.signal);
    const admitted = admit(target.limits, caller, reader);
    admission = admitted instanceof Promise ? await admitted : admitted;
    if (admission) reader.weigh?.();
    if (slots) {
      own?.pause();
      if (ask) ask.queuedAt = performance.now();
      await slots.acquire(clock.signal, caller.isPatient);
      own?.resume();
    }
    try {
      isQueued = false;
      if (caller.isPatient) clock.start(Date.now());
      caller.onStart?.();
      caller.asked = target;
      if (caller.depth) noteDepth(caller.abort.signal, caller.depth);
      const driver = target.readyDriver ?? (await untilAborted(target.openDriver(), clock.signal));
      own?.pause();
      askedAt = performance.now();
      ask?.start(askedAt, reader.model);
      const prompt = caller.span?.takesContent ? reader.asked?.(target.redactor) : undefined;
      span = openCallSpan(caller, target, reader, prompt);
      running = within(span, () => reader.run(driver, new DriverCall(caller, clock, target)));
      const result = await reader.complete;
      own?.resume();
      target.watch.noteSuccess();
      restBook.noteSuccess(reader.model);
      admission?.settle(result);
      const entry = callEntry(target, caller, reader, result, askedAt);
      if (ask) ask.endedAt = askedAt + entry.call.ms;
      note(target, caller, reader, span, entry);
      return result;
    } finally {
      if (slots) releaseAfter(running, slots);
    }
  } catch (error) {
    own?.resume();
    const guess = running && admission && reader.guess?.();
    if (running) admission?.settle(reader.used(), guess);
    else admission?.cancel();
    if (isRefusal(error)) {
      ask?.fail({ kind: error.code, message: error.message });
      throw error;
    }
    // An agent that was stopped or crashed may already have changed something.
    const mayHaveActed =
      running && target.driverKind === 'cli' && (clock.signal.aborted || !NOT_STARTED.has(codeOf(error) ?? ''));
    // Core owns the clock: once its signal has fired that is the cause, whatever the driver made of it.
    const cause: unknown = clock.signal.aborted ? clock.signal.reason : error;
    const failure = toFailure(cause, target, mayHaveActed);
    ask?.fail(failure);
    // A request whose time ends in a queue says nothing of the backend.
    if (!isQueued || !clock.signal.aborted) {
      target.watch.noteFailure(failure);
      restBook.noteFailure(failure, reader.model, failuresSeen);
    }
    // A failed call may have used tokens, so it is booked.
    if (running) {
      const used = reader.used();
      note(target, caller, reader, span, { ...callEntry(target, caller, reader, used, askedAt, failure.kind), guess });
      caller.onFailure?.(used);
    }
    // A driver that failed may have left a program running, and only this signal stops it.
    if (!clock.signal.aborted) caller.abort.abort(new CallAborted('killed', 'the call has failed'));
    throw failure;
  } finally {
    clock.stop();
  }
}

/** A driver that still works after the answer keeps the slot, for STUCK_AFTER_MS at most. */
function releaseAfter(running: Promise<void> | undefined, slots: Slots): void {
  if (running) void waitAtMost(STUCK_AFTER_MS, running).then(() => slots.release());
  else slots.release();
}

function note(
  { book }: CallTarget,
  caller: Caller,
  reader: CallReader<Used>,
  span: WorkSpan | undefined,
  entry: LedgerEntry,
): void {
  if (caller.isBooked) entry.again = true;
  caller.isBooked = true;
  book?.(entry);
  if (span) endCallSpan(span, entry, reader.said?.());
}
